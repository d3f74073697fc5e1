import { createSimulatedModel } from "../../synth/simulated/respond.ts";
import type { RunConfig } from "../config.ts";
import type { LocalServers } from "../model-source.ts";
import { type PathRoots, resolvePath } from "../paths.ts";
import { createPlugFinder } from "../plugs.ts";
import { loadQuestions } from "./load-questions.ts";

/** Servers of a run's simulated and replayed models: on loopback, on free ports, knowing the config's datasets. */
export function localServers(
  config: Pick<RunConfig, "datasets" | "seed"> & {
    readonly evaluation: Pick<NonNullable<RunConfig["evaluation"]>, "datasets"> | null;
  },
  roots: PathRoots,
): LocalServers {
  const datasets = [...config.datasets, ...(config.evaluation?.datasets ?? [])];
  return {
    simulated: async ({ name, competence }) => {
      const questions = await loadQuestions(datasets, createPlugFinder(), roots);
      const model = createSimulatedModel(questions, { competence, seed: config.seed });
      const { startSimulatedServer } = await import("./simulated-server.ts");
      return startSimulatedServer({ model, models: [name] });
    },
    replay: async ({ recording }) => {
      const { startReplayServer } = await import("./replay-server.ts");
      return startReplayServer(await resolvePath(recording, roots));
    },
  };
}
