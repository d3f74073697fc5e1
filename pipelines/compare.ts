import path from "node:path";
import { GradusError, nearMiss } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { ScoredSample } from "../core/rows.ts";
import type { Rows } from "../core/stage.ts";
import { type Comparison, PairedScores } from "../curation/comparison.ts";
import { mergeByExample } from "../curation/merge-by-example.ts";
import { type Artifact, ArtifactStore } from "../io/artifact-store.ts";
import { RowSpool } from "../io/row-spool.ts";
import { slugOf } from "./evaluation-config.ts";
import { artifactsOfRun } from "./explained-run.ts";

/** One side of a comparison: a system's judged answers to the questions of a dataset. */
export interface ComparedSide {
  /** What it is called. */
  readonly name: string;
  readonly examples: Rows<Example>;
  readonly samples: Rows<ScoredSample>;
  /** Whether a sample is the side's. */
  readonly isOf: (sample: ScoredSample) => boolean;
}

/** Two sides held against each other by some metrics. */
export interface ComparisonReport {
  readonly before: string;
  readonly after: string;
  /** Questions that both sides were asked, and those that only one was. */
  readonly questions: { readonly both: number; readonly onlyBefore: number; readonly onlyAfter: number };
  readonly comparisons: readonly Comparison[];
}

/** A question as a side answered it: its mean scores by metric. */
interface SideRow {
  readonly exampleId: string;
  readonly scores: Readonly<Record<string, number | null>>;
}

/**
 * Compares two sides question by question, by every metric that both were scored by or by those that are asked for.
 * Questions are the same where their ids are. Of several samples a side has their mean score.
 * @throws COMPARE_METRIC_MISSING, COMPARE_NOTHING for sides without a question in common.
 */
export async function compareSides(
  before: ComparedSide,
  after: ComparedSide,
  request: { readonly metrics: readonly string[] | null; readonly seed: number },
): Promise<ComparisonReport> {
  const first = await sideRows(before);
  try {
    const metrics = await commonMetrics(before, after, request.metrics);
    const paired = metrics.map((metric) => [metric, new PairedScores(metric)] as const);
    const questions = { both: 0, onlyBefore: 0, onlyAfter: 0 };
    for await (const { example, row } of rowsOf(after)) {
      const earlier = await first.get(example.id);
      if (earlier === undefined) {
        questions.onlyAfter += 1;
        continue;
      }
      questions.both += 1;
      const { id: exampleId, sourceId, databaseId } = example;
      for (const [metric, scores] of paired) {
        const now = row.scores[metric] ?? null;
        scores.add({ exampleId, sourceId, databaseId }, earlier.scores[metric] ?? null, now);
      }
    }
    questions.onlyBefore = first.size - questions.both;
    if (questions.both === 0) throw nothingInCommon(before, after);
    const comparisons = paired.map(([, scores]) => scores.finish(request.seed));
    return { before: before.name, after: after.name, questions, comparisons };
  } finally {
    await first.close();
  }
}

/** A side's rows by question, in a temporary file. */
async function sideRows(side: ComparedSide): Promise<{
  readonly size: number;
  get(exampleId: string): Promise<SideRow | undefined>;
  close(): Promise<void>;
}> {
  const spool = await RowSpool.open<SideRow>();
  const numbers = new Map<string, number>();
  try {
    for await (const { row } of rowsOf(side)) numbers.set(row.exampleId, await spool.add(row));
  } catch (thrown) {
    await spool.close();
    throw thrown;
  }
  return {
    size: numbers.size,
    get: async (exampleId) => {
      const number = numbers.get(exampleId);
      return number === undefined ? undefined : await spool.get(number);
    },
    close: () => spool.close(),
  };
}

async function* rowsOf(
  side: ComparedSide,
): AsyncGenerator<{ readonly example: Example; readonly row: SideRow }> {
  const merged = mergeByExample(side.examples, (example) => example.id, { samples: side.samples });
  for await (const { leader, rows } of merged) {
    const samples = rows.samples.filter(side.isOf);
    yield { example: leader, row: { exampleId: leader.id, scores: meanScores(samples) } };
  }
}

function meanScores(samples: readonly ScoredSample[]): Record<string, number | null> {
  const metrics = new Set(samples.flatMap(({ verdicts }) => Object.keys(verdicts)));
  const means = [...metrics].map((metric) => {
    const scores = samples.flatMap(({ verdicts }) => {
      const verdict = verdicts[metric];
      return verdict?.status === "scored" ? [verdict.score] : [];
    });
    const mean = scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return [metric, mean] as const;
  });
  return Object.fromEntries(means);
}

/** The metrics to compare by: those asked for, or all that both sides have. */
async function commonMetrics(
  before: ComparedSide,
  after: ComparedSide,
  asked: readonly string[] | null,
): Promise<readonly string[]> {
  const [left, right] = [await metricsOf(before), await metricsOf(after)];
  const common = left.filter((metric) => right.includes(metric));
  const missing = asked?.find((metric) => !common.includes(metric));
  if (missing === undefined && common.length > 0) return asked ?? common;
  const shown = `${before.name} has ${left.join(", ") || "none"}, ${after.name} has ${right.join(", ") || "none"}`;
  throw new GradusError("COMPARE_METRIC_MISSING", `cannot compare by ${missing ?? "any metric"}: ${shown}`, {
    hint: "score both by one metric: judge.metrics in a config, --metrics for prediction files",
  });
}

async function metricsOf(side: ComparedSide): Promise<string[]> {
  for await (const sample of side.samples()) if (side.isOf(sample)) return Object.keys(sample.verdicts);
  return [];
}

function nothingInCommon(before: ComparedSide, after: ComparedSide): GradusError {
  return new GradusError(
    "COMPARE_NOTHING",
    `${before.name} and ${after.name} have no question in common, expected answers to one dataset`,
    { hint: "a question is known by its dataset, split, database, text and history" },
  );
}

/**
 * A system of a finished run as a side. `<run>` takes its evaluation, else its answers; `<run>:<system>` the system of
 * that name: a plan's of an evaluation, or a model's, also with `#<sample>` behind it.
 * @throws RUN_UNKNOWN, COMPARE_SYSTEM_UNKNOWN listing those there are, where none or one of several is named.
 */
export async function sideOfRun(runsFolder: string, name: string): Promise<ComparedSide> {
  const [run = "", ...rest] = name.split(":");
  const wanted = rest.length === 0 ? null : rest.join(":");
  const artifacts = await artifactsOfRun(runsFolder, run);
  const store = new ArtifactStore(path.join(runsFolder, run, "artifacts"));
  const sides: ComparedSide[] = [];
  for (const { score, examples, variant } of judgedSteps(artifacts)) {
    const port = (artifact: Artifact, id: string) => ({
      examples: () => store.rows(artifact, id, Example),
      samples: () => store.rows(score, "samples", ScoredSample),
    });
    const rows = port(examples, "examples");
    const systems = new Map<string, ScoredSample>();
    for await (const sample of rows.samples()) systems.set(sample.model.name, sample);
    for (const model of systems.keys()) {
      const title = variant ?? model;
      sides.push({ name: title, ...rows, isOf: (sample) => sample.model.name === model });
      const sampled = /^(.*)#(\d+)$/.exec(wanted ?? "");
      if (sampled?.[1] === title) {
        const index = Number(sampled[2]);
        const isOf = (sample: ScoredSample): boolean =>
          sample.model.name === model && sample.sampleIndex === index;
        sides.push({ name: wanted ?? title, ...rows, isOf });
      }
    }
  }
  return chosen(sides, run, wanted);
}

/** Score steps with the step that their questions come from; an evaluation's come first and are all there is. */
function judgedSteps(
  artifacts: ReadonlyMap<string, Artifact>,
): { readonly score: Artifact; readonly examples: Artifact; readonly variant: string | null }[] {
  const found = ["evaluation-", ""].map((prefix) =>
    [...artifacts].flatMap(([id, score]) => {
      const match = new RegExp(`^${prefix}score(?:-(.+))?$`).exec(id);
      if (match === null) return [];
      const examples = artifacts.get(`${prefix}combine`) ?? artifacts.get(`${prefix}load`);
      return examples === undefined ? [] : [{ score, examples, variant: match[1] ?? null }];
    }),
  );
  return found.find((steps) => steps.length > 0) ?? [];
}

function chosen(sides: readonly ComparedSide[], run: string, wanted: string | null): ComparedSide {
  const names = [...new Set(sides.map(({ name }) => name))];
  const found =
    wanted === null
      ? names.length === 1
        ? sides[0]
        : undefined
      : sides.find(({ name }) => name === wanted || name === slugOf(wanted));
  if (found !== undefined) {
    return {
      ...found,
      name: wanted === null && found.name !== run ? `${run}:${found.name}` : `${run}:${wanted ?? found.name}`,
    };
  }
  const near = wanted === null ? undefined : nearMiss(wanted, names);
  throw new GradusError(
    "COMPARE_SYSTEM_UNKNOWN",
    wanted === null
      ? `the run "${run}" has ${names.length} systems, expected one to be named: ${names.join(", ") || "none was judged yet"}`
      : `the run "${run}" has no system "${wanted}", expected one of: ${names.join(", ")}`,
    { hint: near === undefined ? `write ${run}:<system>` : `did you mean "${run}:${near}"?` },
  );
}
