import path from "node:path";
import { z } from "zod";
import { Example } from "../core/example.ts";
import type { PlugFinder } from "../core/plug.ts";
import { GoldRow } from "../core/rows.ts";
import type { AggregateRow } from "../curation/aggregate.ts";
import { GoldCheck } from "../curation/check-gold-scores.ts";
import { ERROR_CLASSES } from "../curation/error-taxonomy.ts";
import { EvaluatedQuestion, EvaluatedSystem, JudgedErrorFigures } from "../curation/evaluated-rows.ts";
import { NameCounter } from "../curation/mean-counter.ts";
import { wilsonInterval } from "../curation/pass-at-k.ts";
import type { ArtifactStore } from "../io/artifact-store.ts";
import { writeWhole } from "../io/files.ts";
import { JudgedError } from "../synth/judge-errors.ts";
import { accuracyOf } from "./accuracy.ts";
import type { DatasetConfig } from "./config.ts";
import { UndeterminedRow } from "./grade-golds-stage.ts";
import type { SystemTables } from "./official-tables.ts";
import type { Pipeline } from "./pipeline.ts";
import { publishedFor } from "./published-results.ts";
import type { RunResult } from "./runner.ts";
import { TrainingOverlap } from "./training-overlap.ts";

/** Questions that are listed one by one at most; the counts are of all. */
const LISTED = 200;

const Count = z.int().nonnegative();

/** Accuracy by one metric over one group of questions. */
export const GroupAccuracy = z.strictObject({
  /** As in the accuracy table: `all`, `hardness:easy`, `turn:1`, `database:flight_2`, `feature:subquery`, … */
  group: z.string(),
  metric: z.string(),
  /** The mean of each run, in order; `null` where it has no score. */
  runs: z.array(z.number().nullable()),
  /** Scored questions of the fullest run. */
  n: Count,
  /** Over runs; `null` without a score. */
  mean: z.number().nullable(),
  /** Over runs, with n - 1; `null` of fewer than two. */
  standardDeviation: z.number().nullable(),
  /** Wilson's 95 percent interval of the mean over questions; `null` where scores leave 0 to 1. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Sums over runs. */
  unscored: Count,
  unexecutable: Count,
  missing: Count,
});
export type GroupAccuracy = z.infer<typeof GroupAccuracy>;

const Metric = z.strictObject({ id: z.string(), version: Count, deviations: z.array(z.string()) });

const Golds = z.strictObject({
  /** Questions by whether they can be judged: `ok`, or why not. */
  reasons: z.record(z.string(), Count),
  /** Whether golds were judged against themselves. */
  checked: z.boolean(),
  /** Golds that do not match themselves, by metric: no prediction can be right by it. */
  unmatched: z.record(z.string(), Count),
  /** Golds without rows: any answer without rows is right. */
  empty: Count,
  /** The first of all these, those that cannot be judged among them. */
  questions: z.array(GoldCheck),
  /** Golds that their data leave open, by kind of finding; `null` where nobody looked. */
  undetermined: z
    .strictObject({
      golds: Count,
      findings: z.record(z.string(), Count),
      questions: z.array(UndeterminedRow),
    })
    .nullable(),
});

/** `evaluation.json`: everything that an evaluation found, without a clock, a host or a path. */
export const EvaluationDocument = z.strictObject({
  gradus: z.literal(1),
  kind: z.literal("evaluation"),
  version: z.literal(1),
  name: z.string(),
  datasets: z.array(
    z.strictObject({
      loader: z.string(),
      split: z.string(),
      release: z.string().nullable(),
      limit: z.int().nullable(),
    }),
  ),
  metrics: z.array(Metric),
  systems: z.array(
    EvaluatedSystem.extend({
      accuracy: z.array(GroupAccuracy),
      /** What a model says of the errors; `null` where none was asked. */
      judgedErrors: JudgedErrorFigures.nullable(),
      /** The official scripts' tables of the first run. */
      official: z.array(z.unknown()),
    }),
  ),
  golds: Golds,
  overlap: TrainingOverlap.nullable(),
  /** Questions whose verdict depends on the metric, by system; the first of each, by the dataset's own names. */
  dependsOnMetric: z.array(
    z.strictObject({ system: z.string(), count: Count, questions: z.array(z.string()) }),
  ),
  published: z.array(
    z.strictObject({
      dataset: z.string(),
      split: z.string(),
      system: z.string(),
      metric: z.string(),
      setting: z.string(),
      value: z.number(),
      deviation: z.number().nullable(),
      source: z.string(),
    }),
  ),
});
export type EvaluationDocument = z.infer<typeof EvaluationDocument>;

/** Steps of a pipeline that made the figures of one or several systems. */
export interface EvaluatedSteps {
  readonly accuracy: string;
  readonly systems: string;
  /** The step that had a model name errors; it may not be there. */
  readonly errors?: string;
}

export interface DocumentRequest {
  readonly name: string;
  readonly datasets: readonly DatasetConfig[];
  readonly metrics: readonly string[];
  readonly pipeline: Pipeline;
  readonly result: RunResult;
  readonly store: ArtifactStore;
  readonly steps: readonly EvaluatedSteps[];
  /** Ids of the steps that looked at golds; those that were not run are left out. */
  readonly goldCheck: string;
  readonly goldGrades: string;
  /** The official scripts' tables by the step that averaged. */
  readonly official: ReadonlyMap<string, readonly SystemTables[]>;
  readonly overlap: TrainingOverlap | null;
  readonly plugs: PlugFinder;
}

/** Puts together what the steps of an evaluation found. */
export async function evaluationDocument(request: DocumentRequest): Promise<EvaluationDocument> {
  const { name, datasets, metrics, plugs, steps, result } = request;
  const systems: EvaluationDocument["systems"] = [];
  const depends: EvaluationDocument["dependsOnMetric"] = [];
  for (const one of steps.filter(({ systems: id }) => result.artifacts.has(id))) {
    systems.push(...(await systemsOf(request, one)));
    depends.push(...(await dependingOf(request, one)));
  }
  const found = await Promise.all(metrics.map((id) => plugs.find("metric", id)));
  return {
    gradus: 1,
    kind: "evaluation",
    version: 1,
    name,
    datasets: datasets.map(({ loader, split, release, limit }) => ({ loader, split, release, limit })),
    metrics: found.map((plug) => ({
      id: plug.id,
      version: plug.version,
      deviations: plug.kind === "metric" ? [...plug.deviations] : [],
    })),
    systems,
    golds: await goldsOf(request),
    overlap: request.overlap,
    dependsOnMetric: depends,
    published: publishedFor(datasets, metrics),
  };
}

/** Writes `evaluation.json` into a run's folder, whole; its path. */
export async function writeEvaluation(runFolder: string, document: EvaluationDocument): Promise<string> {
  const file = path.join(runFolder, "evaluation.json");
  await writeWhole(file, `${JSON.stringify(EvaluationDocument.parse(document), null, 1)}\n`);
  return file;
}

/** Every question of an evaluation's systems, as its steps left them. */
export async function* evaluatedQuestions(
  { result, store }: Pick<DocumentRequest, "result" | "store">,
  steps: EvaluatedSteps,
): AsyncGenerator<EvaluatedQuestion> {
  const artifact = result.artifacts.get(steps.systems);
  if (artifact !== undefined) yield* store.rows(artifact, "questions", EvaluatedQuestion);
}

async function systemsOf(
  request: DocumentRequest,
  steps: EvaluatedSteps,
): Promise<EvaluationDocument["systems"]> {
  const { result, store } = request;
  const rows = await accuracyOf(result, store, steps.accuracy);
  const official = request.official.get(steps.accuracy) ?? [];
  const artifact = result.artifacts.get(steps.systems);
  const systems: EvaluationDocument["systems"] = [];
  if (artifact === undefined) return systems;
  const judgedErrors = await judgedErrorsOf(request, steps);
  for await (const system of store.rows(artifact, "systems", EvaluatedSystem)) {
    const isIts = (row: AggregateRow | SystemTables): boolean =>
      row.model.name === system.model.name &&
      row.model.revision === system.model.revision &&
      row.setting === system.setting &&
      row.round === system.round;
    const tables = official.find((table) => isIts(table) && table.sampleIndex === 0)?.tables ?? [];
    const accuracy = groupAccuracies(rows.filter(isIts));
    systems.push({ ...system, accuracy, judgedErrors, official: [...tables] });
  }
  return systems;
}

async function judgedErrorsOf(
  { result, store }: DocumentRequest,
  { errors }: EvaluatedSteps,
): Promise<z.infer<typeof JudgedErrorFigures> | null> {
  const artifact = errors === undefined ? undefined : result.artifacts.get(errors);
  if (artifact === undefined) return null;
  const [main, all] = [new NameCounter(), new NameCounter()];
  let [asked, unread] = [0, 0];
  for await (const { classes } of store.rows(artifact, "judged", JudgedError)) {
    const [first] = classes;
    asked += 1;
    if (first === undefined) unread += 1;
    else main.add(first);
    for (const name of classes) all.add(name);
  }
  return { asked, unread, main: main.record(ERROR_CLASSES), all: all.record(ERROR_CLASSES) };
}

/** Accuracy by group over the runs of one system, in the order of the rows. */
export function groupAccuracies(rows: readonly AggregateRow[]): GroupAccuracy[] {
  const groups = new Map<string, AggregateRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.metric, row.group]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((members) => {
    const [first] = members as [AggregateRow];
    const means = members.flatMap(({ mean }) => (mean === null ? [] : [mean]));
    const mean = means.length === 0 ? null : means.reduce((sum, one) => sum + one, 0) / means.length;
    const n = Math.max(...members.map((row) => row.n));
    const isBounded = members.every(({ low, n: scored }) => scored === 0 || low !== null);
    const interval = mean === null || !isBounded ? undefined : wilsonInterval(mean, n);
    const total = (figure: "unscored" | "unexecutable" | "missing"): number =>
      members.reduce((sum, row) => sum + row[figure], 0);
    return {
      group: first.group,
      metric: first.metric,
      runs: members.map((row) => row.mean),
      n,
      mean,
      standardDeviation: deviationOf(means),
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      unscored: total("unscored"),
      unexecutable: total("unexecutable"),
      missing: total("missing"),
    };
  });
}

function deviationOf(means: readonly number[]): number | null {
  if (means.length < 2) return null;
  const centre = means.reduce((sum, mean) => sum + mean, 0) / means.length;
  const squares = means.reduce((sum, mean) => sum + (mean - centre) ** 2, 0);
  return Math.sqrt(squares / (means.length - 1));
}

async function dependingOf(
  request: DocumentRequest,
  steps: EvaluatedSteps,
): Promise<EvaluationDocument["dependsOnMetric"]> {
  const found = new Map<string, { count: number; questions: string[] }>();
  for await (const { system, dependsOnMetric, sourceId } of evaluatedQuestions(request, steps)) {
    const entry = found.get(system) ?? { count: 0, questions: [] };
    found.set(system, entry);
    if (!dependsOnMetric) continue;
    entry.count += 1;
    if (entry.questions.length < LISTED) entry.questions.push(sourceId);
  }
  return [...found]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([system, entry]) => ({ system, ...entry }));
}

async function goldsOf(request: DocumentRequest): Promise<EvaluationDocument["golds"]> {
  const { result, store, goldCheck, goldGrades } = request;
  const reasons: Record<string, number> = {};
  for await (const { reason } of goldRows(request)) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const golds: EvaluationDocument["golds"] = {
    reasons,
    checked: result.artifacts.has(goldCheck),
    unmatched: {},
    empty: 0,
    questions: [],
    undetermined: null,
  };
  const check = result.artifacts.get(goldCheck);
  if (check !== undefined) {
    for await (const row of store.rows(check, "checks", GoldCheck)) {
      for (const metric of Object.keys(row.unmatched)) {
        golds.unmatched[metric] = (golds.unmatched[metric] ?? 0) + 1;
      }
      if (row.isEmpty) golds.empty += 1;
      if (golds.questions.length < LISTED) golds.questions.push(row);
    }
  }
  const grades = result.artifacts.get(goldGrades);
  if (grades === undefined) return golds;
  const undetermined = {
    golds: 0,
    findings: {} as Record<string, number>,
    questions: [] as UndeterminedRow[],
  };
  for await (const row of store.rows(grades, "undetermined", UndeterminedRow)) {
    undetermined.golds += 1;
    for (const kind of new Set(row.findings.map((finding) => finding.kind))) {
      undetermined.findings[kind] = (undetermined.findings[kind] ?? 0) + 1;
    }
    if (undetermined.questions.length < LISTED) undetermined.questions.push(row);
  }
  return { ...golds, undetermined };
}

/** The gold rows of the first score step. */
async function* goldRows({ pipeline, result, store, steps }: DocumentRequest): AsyncGenerator<GoldRow> {
  const accuracy = pipeline.find(({ id }) => id === steps[0]?.accuracy);
  const link = accuracy?.inputs["golds"];
  const artifact = link === undefined ? undefined : result.artifacts.get(link.step);
  if (artifact !== undefined && link !== undefined) yield* store.rows(artifact, link.port, GoldRow);
}

/** The evaluated questions of a pipeline's first figures; `null` where it has not come so far. */
export function evaluatedExamples({
  pipeline,
  result,
  store,
  steps,
}: Pick<DocumentRequest, "pipeline" | "result" | "store" | "steps">): (() => AsyncIterable<Example>) | null {
  const link = pipeline.find(({ id }) => id === steps[0]?.accuracy)?.inputs["examples"];
  const artifact = link === undefined ? undefined : result.artifacts.get(link.step);
  return artifact === undefined || link === undefined ? null : () => store.rows(artifact, link.port, Example);
}
