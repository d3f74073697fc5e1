import { Database } from "../core/database.ts";
import { Example } from "../core/example.ts";
import { GoldRow } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { judgeExamples, ScoreOptions, ScoreRuntime } from "./score.ts";

/**
 * Runs every gold before anything is sampled, so that nothing is spent on a question that cannot be judged.
 * One gold row an example, in order. Throws as the score stage.
 */
export const checkGoldsStage = defineStage({
  name: "check-golds",
  version: 1,
  inputs: { examples: Example, databases: Database },
  outputs: { golds: GoldRow },
  options: ScoreOptions,
  runtime: ScoreRuntime,
  balances: [{ input: "examples", outputs: ["golds"] }],
  plugs: (options) => [...options.metrics, ...options.labels].map((id) => ({ kind: "metric", id }) as const),
  async *run({ inputs, options, runtime, context }) {
    const rows = { ...inputs, trajectories: noTrajectories };
    for await (const { gold } of judgeExamples(rows, options, runtime.concurrency, context)) {
      yield { port: "golds", row: gold } as const;
    }
  },
});

async function* noTrajectories(): AsyncGenerator<Trajectory> {
  yield* await Promise.resolve([]);
}
