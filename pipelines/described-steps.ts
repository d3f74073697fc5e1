import { describeDatabasesStage } from "../synth/describe-databases.ts";
import type { ModelRole, RunConfig } from "./config.ts";
import type { DatasetSteps } from "./dataset-steps.ts";
import { step } from "./pipeline.ts";

/** What decides whether and how loaded databases are described. */
export interface DescribedStepsRequest {
  readonly config: Pick<RunConfig, "answers" | "descriptions" | "models" | "profile">;
  /** Put before the id of the step. */
  readonly prefix: string;
  /** A worker uses what the whole run's ledger has, so that all workers show the same. */
  readonly part: { readonly index: number; readonly count: number } | null;
}

/** The steps of some datasets and, where the config asks for it, one that describes their databases for all later steps. */
export function describedSteps(
  loaded: DatasetSteps,
  { config, prefix, part }: DescribedStepsRequest,
): DatasetSteps {
  const { answers, descriptions, models, profile } = config;
  if (descriptions === null) return loaded;
  const { model: role, ...rest } = descriptions;
  const { provider, name, revision } = models[role] as ModelRole;
  const id = `${prefix}describe`;
  const describing = step({
    id,
    stage: describeDatabasesStage,
    options: { role, model: { name, revision }, simulated: provider === "simulated", profile, ...rest },
    runtime: { concurrency: answers.concurrency, mayAsk: part === null },
    inputs: { databases: loaded.databases },
  });
  return { ...loaded, steps: [...loaded.steps, describing], databases: { step: id, port: "databases" } };
}
