import { Example } from "../../core/example.ts";
import { DroppedExample, KeptExample, PassRate, ScoredSample } from "../../core/rows.ts";
import { AggregateRow } from "../../curation/aggregate.ts";
import { AppliedCorrection } from "../../datasets/apply-corrections.ts";
import type { ArtifactStore } from "../../io/artifact-store.ts";
import { type ArtifactPair, type CorrectedRun, type PortPair, UncorrectedRun } from "./uncorrected-run.ts";

/** Right answers of a question over those that have a score, all models and settings together. */
export interface RightOf {
  readonly n: number;
  readonly c: number;
}

/** A question that the corrections moved: to another bucket, or to other figures within it. */
export interface MovedQuestion {
  readonly dataset: string;
  readonly split: string;
  readonly sourceId: string;
  readonly databaseId: string;
  /** Its identity with the corrections. */
  readonly exampleId: string;
  /** Fields that corrections of it changed; empty for a later turn of a corrected dialogue. */
  readonly corrected: readonly string[];
  /** Whether its samples were taken anew. */
  readonly isResampled: boolean;
  /** `kept`, or why it was dropped. */
  readonly from: string;
  readonly to: string;
  readonly before: RightOf;
  readonly after: RightOf;
}

/** What the corrections of a run did. */
export interface CorrectionEffect {
  readonly corrections: {
    readonly applied: number;
    readonly questions: number;
    readonly byField: Readonly<Record<string, number>>;
  };
  readonly questions: number;
  /** Questions whose samples were taken anew; all others were only judged again. */
  readonly resampled: number;
  /** Questions that had no samples before, since their gold could not be judged. */
  readonly newlySampled: number;
  /** Questions by bucket, without the corrections and with them. */
  readonly buckets: readonly { readonly bucket: string; readonly before: number; readonly after: number }[];
  readonly moved: readonly MovedQuestion[];
  /** Samples of both that the metric of the filter judges otherwise. */
  readonly verdicts: {
    readonly metric: string;
    readonly judgedTwice: number;
    readonly wrongToRight: number;
    readonly rightToWrong: number;
    readonly other: number;
  };
  /** Over all questions, a system a line. */
  readonly accuracy: readonly {
    readonly system: string;
    readonly setting: string;
    readonly metric: string;
    readonly before: Figures;
    readonly after: Figures;
  }[];
}

interface Figures {
  readonly n: number;
  readonly mean: number | null;
}

/**
 * Compares a finished run with what it was without its corrections, from what both left behind; nothing is run.
 * @throws RUN_UNFINISHED, RUN_WITHOUT_BASELINE.
 */
export async function effectOfCorrections(run: CorrectedRun, metric: string): Promise<CorrectionEffect> {
  const pairs = new UncorrectedRun(run);
  const { store } = run;
  const applied = new Map<string, string[]>();
  for (const artifact of pairs.corrections()) {
    for await (const { exampleId, field } of store.rows(artifact, "applied", AppliedCorrection))
      applied.set(exampleId, [...(applied.get(exampleId) ?? []), field]);
  }
  const steps = {
    filter: await pairs.step("filter"),
    rates: await pairs.step("rates"),
    score: await pairs.step("score"),
  };
  const before = await sideOf(store, steps, "before", metric);
  const after = await sideOf(store, steps, "after", metric);
  const questions = await pairedQuestions(store, await pairs.fed("filter", "examples"));
  const moved: MovedQuestion[] = [];
  let resampled = 0;
  let newlySampled = 0;
  for (const { old, fresh } of questions) {
    const corrected = applied.get(fresh.id) ?? [];
    const isResampled = isSampledAnew(before.samples.get(old.id), after.samples.get(fresh.id));
    if (isResampled) resampled += 1;
    if (!before.samples.has(old.id) && after.samples.has(fresh.id)) newlySampled += 1;
    const from = before.buckets.get(old.id) ?? "";
    const to = after.buckets.get(fresh.id) ?? "";
    const [was, is] = [rightOf(before.rates, old.id), rightOf(after.rates, fresh.id)];
    if (from === to && was.n === is.n && was.c === is.c) continue;
    const { dataset, sourceId, databaseId, id } = fresh;
    const place = { dataset: dataset.name, split: dataset.split, sourceId, databaseId, exampleId: id };
    moved.push({ ...place, corrected, isResampled, from, to, before: was, after: is });
  }
  const fields = [...applied.values()].flat();
  return {
    corrections: { applied: fields.length, questions: applied.size, byField: countsOf(fields) },
    questions: questions.length,
    resampled,
    newlySampled,
    buckets: bucketsOf(before.buckets, after.buckets),
    moved,
    verdicts: { metric, ...verdictsOf(before.verdicts, after.verdicts) },
    accuracy: await accuracyPairs(store, await pairs.step("accuracy")),
  };
}

/** One side of the comparison, by example id. */
interface Side {
  readonly buckets: ReadonlyMap<string, string>;
  readonly rates: ReadonlyMap<string, RightOf>;
  /** Ids of the samples of an example. */
  readonly samples: ReadonlyMap<string, ReadonlySet<string>>;
  /** Scores by sample id; `null` where there is none. */
  readonly verdicts: ReadonlyMap<string, number | null>;
}

async function sideOf(
  store: ArtifactStore,
  steps: Readonly<Record<"filter" | "rates" | "score", ArtifactPair>>,
  side: "before" | "after",
  metric: string,
): Promise<Side> {
  const buckets = new Map<string, string>();
  for await (const row of store.rows(steps.filter[side], "kept", KeptExample))
    buckets.set(row.exampleId, "kept");
  for await (const row of store.rows(steps.filter[side], "dropped", DroppedExample))
    buckets.set(row.exampleId, row.reason);
  const rates = new Map<string, RightOf>();
  for await (const row of store.rows(steps.rates[side], "rates", PassRate)) {
    if (row.metric !== metric) continue;
    const { n, c } = rates.get(row.exampleId) ?? { n: 0, c: 0 };
    rates.set(row.exampleId, { n: n + row.n, c: c + row.c });
  }
  const samples = new Map<string, Set<string>>();
  const verdicts = new Map<string, number | null>();
  for await (const { exampleId, trajectoryId, verdicts: given } of store.rows(
    steps.score[side],
    "samples",
    ScoredSample,
  )) {
    const ids = samples.get(exampleId) ?? new Set<string>();
    samples.set(exampleId, ids.add(trajectoryId));
    const verdict = given[metric];
    verdicts.set(trajectoryId, verdict?.status === "scored" ? verdict.score : null);
  }
  return { buckets, rates, samples, verdicts };
}

/** The questions of both sides, by the dataset's own name of each. */
async function pairedQuestions(
  store: ArtifactStore,
  { before, after }: PortPair,
): Promise<{ readonly old: Example; readonly fresh: Example }[]> {
  const olds = new Map<string, Example[]>();
  for await (const old of store.rows(before.artifact, before.port, Example)) {
    const key = nameOf(old);
    olds.set(key, [...(olds.get(key) ?? []), old]);
  }
  const pairs: { old: Example; fresh: Example }[] = [];
  for await (const fresh of store.rows(after.artifact, after.port, Example)) {
    const old = olds.get(nameOf(fresh))?.shift();
    if (old !== undefined) pairs.push({ old, fresh });
  }
  return pairs;
}

function nameOf({ dataset, sourceId }: Example): string {
  return JSON.stringify([dataset.name, dataset.release, dataset.split, sourceId]);
}

function isSampledAnew(
  before: ReadonlySet<string> = new Set(),
  after: ReadonlySet<string> = new Set(),
): boolean {
  return before.size > 0 && after.size > 0 && [...after].every((id) => !before.has(id));
}

function rightOf(rates: ReadonlyMap<string, RightOf>, id: string): RightOf {
  return rates.get(id) ?? { n: 0, c: 0 };
}

function countsOf(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function bucketsOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): CorrectionEffect["buckets"] {
  const [old, fresh] = [countsOf(before.values()), countsOf(after.values())];
  const names = [...new Set(["kept", ...Object.keys(old).sort(), ...Object.keys(fresh).sort()])];
  return names.map((bucket) => ({ bucket, before: old[bucket] ?? 0, after: fresh[bucket] ?? 0 }));
}

function verdictsOf(
  before: Side["verdicts"],
  after: Side["verdicts"],
): Omit<CorrectionEffect["verdicts"], "metric"> {
  const counts = { judgedTwice: 0, wrongToRight: 0, rightToWrong: 0, other: 0 };
  for (const [id, is] of after) {
    const was = before.get(id);
    if (was === undefined) continue;
    counts.judgedTwice += 1;
    if (was === is) continue;
    if (is === 1 && was !== null) counts.wrongToRight += 1;
    else if (was === 1 && is !== null) counts.rightToWrong += 1;
    else counts.other += 1;
  }
  return counts;
}

async function accuracyPairs(
  store: ArtifactStore,
  { before, after }: ArtifactPair,
): Promise<CorrectionEffect["accuracy"]> {
  const olds = new Map<string, Figures>();
  for await (const row of store.rows(before, "table", AggregateRow)) {
    if (row.group === "all") olds.set(systemOf(row), { n: row.n, mean: row.mean });
  }
  const pairs: CorrectionEffect["accuracy"][number][] = [];
  for await (const row of store.rows(after, "table", AggregateRow)) {
    if (row.group !== "all") continue;
    const { system, setting, metric, n, mean } = row;
    const old = olds.get(systemOf(row)) ?? { n: 0, mean: null };
    pairs.push({ system, setting, metric, before: old, after: { n, mean } });
  }
  return pairs;
}

function systemOf({ system, model, setting, round, metric }: AggregateRow): string {
  return JSON.stringify([system, model, setting, round, metric]);
}
