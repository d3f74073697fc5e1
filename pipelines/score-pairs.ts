import path from "node:path";
import { z } from "zod";
import type { Database, DatabaseSchema } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import type { DatabaseInspector } from "../core/inspector.ts";
import type { Judge } from "../core/judge.ts";
import type { Label, Metric } from "../core/metric.ts";
import { type LabelVerdict, scored, unscored, type Verdict } from "../core/verdict.ts";
import { makeFolder, move, remove } from "../io/files.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { LineWriter } from "../io/line-writer.ts";
import { orderedWindow } from "./ordered-window.ts";

/** What to judge, and with what. */
export interface ScorePairsRequest {
  readonly pairs: string;
  readonly out: string;
  readonly metrics: readonly (Metric | Label)[];
  /** Database files by id; `null` where there is none. */
  readonly databasePath: (databaseId: string) => string | null;
  /** Schemas of a tables file by database id; may be empty. */
  readonly schemas: ReadonlyMap<string, DatabaseSchema>;
  readonly goldLimits: ExecutionLimits;
  readonly predictionLimits: ExecutionLimits;
  /** Lines in flight. */
  readonly concurrency: number;
}

export interface ScorePairsServices {
  readonly judge: Judge;
  readonly inspector: DatabaseInspector;
  progress(done: number): void;
}

/** Sums by metric: scored lines and their mean, labels by name, unscored lines by reason. */
export interface ScoreTotals {
  readonly lines: number;
  readonly metrics: Readonly<Record<string, MetricTotals>>;
}
export interface MetricTotals {
  scored: number;
  sum: number;
  labels: Record<string, number>;
  unscored: Record<string, number>;
}

const Pair = z.looseObject({ db_id: z.string().min(1), gold: z.string(), pred: z.string() });
type Verdicts = Record<string, Verdict | LabelVerdict>;

/**
 * Judges (database, gold, prediction) lines: every input line leaves as the same object with `verdicts`, in
 * the same order, in bounded memory, as the official evaluators judge: a gold that fails scores what they
 * score. The output appears whole or not at all.
 * @throws JSONL_MALFORMED, SCORE_LINE_MALFORMED for a line that is not an object.
 */
export async function scorePairs(
  request: ScorePairsRequest,
  services: ScorePairsServices,
): Promise<ScoreTotals> {
  const scorer = new PairScorer(request, services);
  const partial = `${request.out}.partial`;
  await makeFolder(path.dirname(path.resolve(request.out)));
  const writer = await LineWriter.open(partial);
  const totals = new Map(request.metrics.map((metric) => [metric.id, emptyTotals()]));
  let lines = 0;
  try {
    const results = orderedWindow(readJsonLines(request.pairs), request.concurrency, ({ value, line }) =>
      scorer.score(value, line),
    );
    for await (const { row, verdicts } of results) {
      await writer.add(JSON.stringify({ ...row, verdicts }));
      for (const [id, verdict] of Object.entries(verdicts)) count(totals.get(id), verdict);
      lines += 1;
      services.progress(lines);
    }
    await writer.finish();
    await move(partial, request.out);
  } catch (thrown) {
    await writer.abandon();
    await remove(partial);
    throw thrown;
  }
  return { lines, metrics: Object.fromEntries(totals) };
}

function emptyTotals(): MetricTotals {
  return { scored: 0, sum: 0, labels: {}, unscored: {} };
}

function count(totals: MetricTotals | undefined, verdict: Verdict | LabelVerdict): void {
  if (totals === undefined) return;
  if (verdict.status === "unscored") {
    totals.unscored[verdict.reason] = (totals.unscored[verdict.reason] ?? 0) + 1;
    return;
  }
  totals.scored += 1;
  if ("label" in verdict) totals.labels[verdict.label] = (totals.labels[verdict.label] ?? 0) + 1;
  else totals.sum += verdict.score;
}

/** The verdict as the official evaluator gives it where the gold itself fails. */
function officially(verdict: Verdict, metric: Metric): Verdict {
  const isGoldFailure = verdict.status === "unscored" && /^gold_(error|denied)$/.test(verdict.reason);
  return isGoldFailure && metric.officialWhenGoldFails !== undefined
    ? scored(metric.officialWhenGoldFails)
    : verdict;
}

class PairScorer {
  readonly #request: ScorePairsRequest;
  readonly #services: ScorePairsServices;
  readonly #databases = new Map<string, Promise<Database>>();
  readonly #scoring: readonly string[];

  constructor(request: ScorePairsRequest, services: ScorePairsServices) {
    this.#request = request;
    this.#services = services;
    this.#scoring = request.metrics.filter((metric) => metric.kind === "metric").map((metric) => metric.id);
  }

  async score(value: unknown, line: number): Promise<{ row: Record<string, unknown>; verdicts: Verdicts }> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new GradusError(
        "SCORE_LINE_MALFORMED",
        `cannot score line ${line}: got ${JSON.stringify(value)}, expected an object`,
        {
          site: { file: this.#request.pairs, line },
          hint: 'each line needs "db_id", "gold" and "pred"',
        },
      );
    }
    const row = value as Record<string, unknown>;
    const pair = Pair.safeParse(value);
    if (!pair.success) {
      const bad = unscored("bad_row", z.prettifyError(pair.error).replaceAll("\n", " "));
      return { row, verdicts: Object.fromEntries(this.#request.metrics.map((metric) => [metric.id, bad])) };
    }
    const database = await this.#database(pair.data.db_id);
    const judged = await this.#judge(database, pair.data.gold, pair.data.pred);
    const verdicts: Verdicts = {};
    for (const metric of this.#request.metrics) {
      verdicts[metric.id] =
        metric.kind === "label"
          ? metric.label(pair.data.gold, database.schema)
          : officially(judged[metric.id] as Verdict, metric);
    }
    return { row, verdicts };
  }

  async #judge(
    database: Database,
    gold: string,
    prediction: string,
  ): Promise<Readonly<Record<string, Verdict>>> {
    if (this.#scoring.length === 0) return {};
    const reply = await this.#services.judge.judge({
      database,
      gold: [gold],
      predictions: [prediction],
      metrics: this.#scoring,
      goldLimits: this.#request.goldLimits,
      predictionLimits: this.#request.predictionLimits,
    });
    return reply.answers[0]?.verdicts ?? {};
  }

  #database(databaseId: string): Promise<Database> {
    let database = this.#databases.get(databaseId);
    if (database === undefined) {
      const described = this.#request.schemas.get(databaseId) ?? null;
      const file = this.#request.databasePath(databaseId);
      database = this.#services.inspector.inspect({ databaseId, path: file, described, valuesPerColumn: 0 });
      this.#databases.set(databaseId, database);
    }
    return database;
  }
}
