import { z } from "zod";
import { Database } from "../core/database.ts";
import { Example } from "../core/example.ts";
import type { GoldRow, ScoredSample } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { judgeExamples, ScoreOptions, ScoreRuntime } from "./score.ts";

/** A question whose gold needs a look before accuracy on it means anything. */
export const GoldCheck = z.strictObject({
  exampleId: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  /** `ok`, or why nothing can be judged. */
  reason: z.string(),
  message: z.string(),
  /** Metrics by which the gold does not match itself, with the score or the reason that there is none. */
  unmatched: z.record(z.string(), z.string()),
  /** Whether the gold returns no rows, so that any answer without rows is right. */
  isEmpty: z.boolean(),
});
export type GoldCheck = z.infer<typeof GoldCheck>;

/**
 * Judges every gold as if it were an answer: what the gold itself does not get, no prediction can. One row for each
 * question whose gold does not run, does not match itself by some metric, or is empty; in their order. Throws as the
 * score stage.
 */
export const checkGoldScoresStage = defineStage({
  name: "check-gold-scores",
  version: 1,
  inputs: { examples: Example, databases: Database },
  outputs: { checks: GoldCheck },
  options: ScoreOptions,
  runtime: ScoreRuntime,
  plugs: (options) => [...options.metrics, ...options.labels].map((id) => ({ kind: "metric", id }) as const),
  async *run({ inputs, options, runtime, context }) {
    const examples = await keyed(inputs.examples());
    const rows = { ...inputs, trajectories: () => goldAnswers(inputs.examples()) };
    for await (const { gold, samples } of judgeExamples(rows, options, runtime.concurrency, context)) {
      const row = checkOf(gold, samples[0], examples.get(gold.exampleId) ?? "");
      if (row !== undefined) yield { port: "checks", row } as const;
    }
  },
});

/** The dataset's own names of the questions, by id. */
async function keyed(examples: AsyncIterable<Example>): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, sourceId } of examples) names.set(id, sourceId);
  return names;
}

/** The first gold of each question as its one answer. */
async function* goldAnswers(examples: AsyncIterable<Example>): AsyncGenerator<Trajectory> {
  for await (const { id, gold } of examples) {
    const [finalSql] = gold;
    if (finalSql === undefined) continue;
    yield {
      id,
      exampleId: id,
      sampleIndex: 0,
      round: 0,
      model: { name: "gold", revision: "" },
      scaffold: { id: "gold", version: 1, options: {} },
      source: "imported",
      pastThoughts: "none",
      messages: [],
      finalSql,
      stopReason: "answered",
      usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
      seed: null,
    };
  }
}

function checkOf(
  { exampleId, databaseId, reason, message, executions }: GoldRow,
  answer: ScoredSample | undefined,
  sourceId: string,
): GoldCheck | undefined {
  const unmatched: Record<string, string> = {};
  for (const [metric, verdict] of Object.entries(answer?.verdicts ?? {})) {
    if (reason !== "ok") break;
    if (verdict.status === "unscored") unmatched[metric] = verdict.reason;
    else if (verdict.score !== 1) unmatched[metric] = `score ${verdict.score}`;
  }
  const isEmpty = executions?.[0]?.status === "empty";
  if (reason === "ok" && !isEmpty && Object.keys(unmatched).length === 0) return undefined;
  return { exampleId, sourceId, databaseId, reason, message, unmatched, isEmpty };
}
