import { pMapIterable } from "p-map";
import { z } from "zod";
import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import type { Label } from "../core/metric.ts";
import { GoldRow, ScoredSample } from "../core/rows.ts";
import { defineStage, type StageContext, type StageRun } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { RowIndex } from "../io/row-index.ts";
import { type AskedAnswer, type ExampleToJudge, type JudgedExample, judgeExample } from "./judge-example.ts";
import { mergeByExample } from "./merge-by-example.ts";

/** Finished examples may wait for a slow one before them, up to this many for each judge call in flight. */
const WAITING_PER_CALL = 4;

/** Databases whose schema is kept at hand; examples of one database mostly follow one another. */
const DATABASES_AT_HAND = 32;

/** What judging is done with. */
export const ScoreOptions = z.strictObject({
  metrics: z.array(z.string()).min(1).default(["bird-ex"]),
  labels: z.array(z.string()).default(["spider-hardness"]),
  /** CPU time, milliseconds. */
  predictionCpuMs: z.int().positive().default(30_000),
  goldCpuMs: z.int().positive().default(60_000),
  maxRows: z.int().positive().default(1_000_000),
  /** Bytes of text and blobs in one result. */
  maxBytes: z
    .int()
    .positive()
    .default(256 * 1024 * 1024),
});
export type ScoreOptions = z.infer<typeof ScoreOptions>;

/** How many judge calls are in flight. */
export const ScoreRuntime = z.strictObject({
  /** Judge calls in flight. */
  concurrency: z.int().positive().default(2),
});

const inputs = { examples: Example, trajectories: Trajectory, databases: Database };
const outputs = { golds: GoldRow, samples: ScoredSample };

/**
 * Judges every trajectory's answer against the golds of its example, and says of each example whether it
 * can be judged at all. One gold row an example, one sample a trajectory, in their order whatever judge
 * call ends first. No answer is a wrong answer. Samples of an example whose golds do not run are unscored
 * with the reason of the gold row. What the judge throws fails the stage.
 * @throws SCORE_TRAJECTORY_TWICE, SCORE_PLUG_MISPLACED, SCORE_METRIC_MEASURED, JUDGE_REPLY_INCOMPLETE, STAGE_ORDER_BROKEN, INTERRUPTED.
 */
export const scoreStage = defineStage({
  name: "score",
  version: 1,
  inputs,
  outputs,
  options: ScoreOptions,
  runtime: ScoreRuntime,
  balances: [
    { input: "examples", outputs: ["golds"] },
    { input: "trajectories", outputs: ["samples"] },
  ],
  plugs: (options) => [...options.metrics, ...options.labels].map((id) => ({ kind: "metric", id }) as const),
  async *run({ inputs: rows, options, runtime, context }) {
    for await (const { gold, samples } of judgeExamples(rows, options, runtime.concurrency, context)) {
      yield { port: "golds", row: gold } as const;
      for (const row of samples) yield { port: "samples", row } as const;
    }
  },
});

/**
 * Every example judged with its trajectories, in order, `concurrency` judge calls in flight.
 * @throws as {@link scoreStage}.
 */
export async function* judgeExamples(
  rows: StageRun<typeof inputs, ScoreOptions, unknown>["inputs"],
  options: ScoreOptions,
  concurrency: number,
  context: StageContext,
): AsyncGenerator<JudgedExample> {
  const labels = await findLabels(options, context);
  const databases = await RowIndex.build(rows.databases(), { keyOf: (database) => database.databaseId });
  try {
    const lookUp = rememberDatabases(databases);
    const judge = async (example: ExampleToJudge): Promise<JudgedExample> => {
      if (context.signal.aborted) throw interrupted();
      return judgeExample(example, {
        judge: context.judge,
        database: await lookUp(example.example.databaseId),
        metrics: options.metrics,
        labels,
        goldLimits: limits(options, options.goldCpuMs),
        predictionLimits: limits(options, options.predictionCpuMs),
      });
    };
    const judged = pMapIterable(examplesToJudge(rows), judge, {
      concurrency,
      backpressure: concurrency * WAITING_PER_CALL,
    });
    for await (const example of judged) {
      yield example;
      context.progress(example.done, example.total);
    }
  } finally {
    await databases.close();
  }
}

function limits(options: ScoreOptions, cpuMs: number): ExecutionLimits {
  return { cpuMs, maxRows: options.maxRows, maxBytes: options.maxBytes };
}

async function findLabels(options: ScoreOptions, context: StageContext): Promise<readonly Label[]> {
  for (const id of options.metrics) {
    const plug = await context.plugs.find("metric", id);
    if (plug.kind !== "metric") throw misplaced(id, "metrics", "labels");
    if (plug.needs.timings === true) throw measured(id);
  }
  const labels: Label[] = [];
  for (const id of options.labels) {
    const plug = await context.plugs.find("metric", id);
    if (plug.kind !== "label") throw misplaced(id, "labels", "metrics");
    labels.push(plug);
  }
  return labels;
}

function interrupted(): GradusError {
  return new GradusError("INTERRUPTED", "interrupted in the score step", {
    hint: "run the same command again: finished steps are kept",
  });
}

function misplaced(id: string, at: string, right: string): GradusError {
  return new GradusError("SCORE_PLUG_MISPLACED", `cannot use "${id}" in ${at}: it belongs in ${right}`, {
    site: { stage: "score", plug: id },
    hint: `move "${id}" from ${at} to ${right} in the options of the score step`,
  });
}

function measured(id: string): GradusError {
  return new GradusError(
    "SCORE_METRIC_MEASURED",
    `cannot use "${id}" in a run: its verdicts are measurements`,
    {
      site: { stage: "score", plug: id },
      hint: `leave "${id}" out of the metrics, and measure with gradus score`,
    },
  );
}

function rememberDatabases(index: RowIndex<Database>): (id: string) => Promise<Database | undefined> {
  const atHand = new Map<string, Promise<Database | undefined>>();
  return (id) => {
    const found = atHand.get(id) ?? index.get(id);
    atHand.delete(id);
    atHand.set(id, found);
    const oldest = atHand.keys().next().value;
    if (atHand.size > DATABASES_AT_HAND && oldest !== undefined) atHand.delete(oldest);
    return found;
  };
}

async function* examplesToJudge(rows: {
  readonly examples: () => AsyncIterable<Example>;
  readonly trajectories: () => AsyncIterable<Trajectory>;
}): AsyncGenerator<ExampleToJudge> {
  const merged = mergeByExample(rows.examples, (example) => example.id, { trajectories: rows.trajectories });
  for await (const { leader, position, total, rows: found } of merged) {
    const seen = new Set<string>();
    for (const { id } of found.trajectories) {
      if (seen.has(id)) throw trajectoryTwice(id);
      seen.add(id);
    }
    yield { example: leader, answers: found.trajectories.map(answerOf), done: position + 1, total };
  }
}

/** What judging needs of a trajectory, without its messages. */
function answerOf(trajectory: Trajectory): AskedAnswer {
  return {
    finalSql: trajectory.finalSql,
    sample: {
      trajectoryId: trajectory.id,
      exampleId: trajectory.exampleId,
      sampleIndex: trajectory.sampleIndex,
      round: trajectory.round,
      model: trajectory.model,
      setting: trajectory.scaffold.id,
      simulated: trajectory.source === "simulated",
    },
  };
}

function trajectoryTwice(id: string): GradusError {
  return new GradusError("SCORE_TRAJECTORY_TWICE", `trajectory ${id} comes twice, expected once`, {
    site: { stage: "score", rowId: id },
    hint: "two samples of one question have the same identity: number them apart (sampleIndex) where they are made",
  });
}
