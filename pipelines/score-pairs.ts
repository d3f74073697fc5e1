import path from "node:path";
import { z } from "zod";
import type { Database, DatabaseSchema } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import type { Execution, ExecutionLimits } from "../core/execution.ts";
import type { DatabaseInspector } from "../core/inspector.ts";
import type { Judge, JudgeReply } from "../core/judge.ts";
import type { Label, Metric } from "../core/metric.ts";
import { RecentMap } from "../core/recent-map.ts";
import { type LabelVerdict, scored, unscored, type Verdict } from "../core/verdict.ts";
import { R_VES_ROUNDS } from "../curation/r-ves.ts";
import { type OfficialTable, OfficialTables } from "../curation/official-table.ts";
import { makeFolder, move, remove } from "../io/files.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { LineWriter } from "../io/line-writer.ts";
import { orderedWindow } from "./ordered-window.ts";
import { scoreLineText } from "./score-line-text.ts";
import { isOddTurn, publishedDifficulty, tableLineOf } from "./score-table-line.ts";

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
  /** How often metrics that measure run times have a pair timed; the official number when left out. */
  readonly timingRounds?: number;
  /** Lines in flight. */
  readonly concurrency: number;
}

export interface ScorePairsServices {
  readonly judge: Judge;
  readonly inspector: DatabaseInspector;
  progress(done: number): void;
}

/** Sums by metric: scored lines and their mean, labels by name, unscored lines by reason; and the official tables. */
export interface ScoreTotals {
  readonly lines: number;
  readonly metrics: Readonly<Record<string, MetricTotals>>;
  /** Those whose levels the lines have. */
  readonly tables: readonly OfficialTable[];
  /** Lines whose field `turn` is no whole number from 0: they are in no dialogue. */
  readonly oddTurns: number;
}
export interface MetricTotals {
  scored: number;
  sum: number;
  labels: Record<string, number>;
  unscored: Record<string, number>;
}

const Pair = z.looseObject({ db_id: z.string().min(1), gold: z.string(), pred: z.string() });
type Verdicts = Record<string, Verdict | LabelVerdict>;

/** How a statement ended, and why where it failed. */
type Ending = Pick<Execution, "status" | "message">;

/** A line judged. `executions` are there only where the statements were run. */
interface ScoredLine {
  readonly row: Record<string, unknown>;
  readonly verdicts: Verdicts;
  readonly executions?: { readonly gold: Ending; readonly pred: Ending };
}

/** Characters of the lines in flight, but for the last one. */
const WINDOW_CHARACTERS = 4_000_000;

/** Tables and columns of the databases whose schemas are kept at hand. */
const KEPT_SCHEMA_PARTS = 100_000;

/**
 * Judges (database, gold, prediction) lines: every input line leaves with its text as it is and `verdicts` added, in
 * the same order, in bounded memory, as the official evaluators judge: a gold that fails scores what they
 * score. Beside them, where SQL was run, stand `executions`: `status` and `message` of `gold` and `pred` as
 * published, on the main database file. Both take the place of fields of these names that a line already has. The
 * output appears whole or not at all.
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
  const tables = new OfficialTables();
  let lines = 0;
  let oddTurns = 0;
  try {
    const results = orderedWindow(
      readJsonLines(request.pairs),
      request.concurrency,
      async ({ value, text, line }) => ({ text, ...(await scorer.score(value, line)) }),
      { of: ({ text }) => text.length, most: WINDOW_CHARACTERS },
    );
    for await (const { text, row, verdicts, executions } of results) {
      await writer.add(scoreLineText(text, row, { verdicts, executions }));
      for (const [id, verdict] of Object.entries(verdicts)) count(totals.get(id), verdict);
      tables.add(tableLineOf(row, verdicts, scorer.scoring));
      lines += 1;
      if (isOddTurn(row)) oddTurns += 1;
      services.progress(lines);
    }
    await writer.finish();
    await move(partial, request.out);
  } catch (thrown) {
    await writer.abandon();
    await remove(partial);
    throw thrown;
  }
  return { lines, metrics: Object.fromEntries(totals), tables: tables.finish(), oddTurns };
}

/** What a line lacks, by field. */
function badRowText(row: Readonly<Record<string, unknown>>): string {
  const wrong = (["db_id", "gold", "pred"] as const).flatMap((field) => {
    if (!(field in row)) return [`"${field}" is missing`];
    if (typeof row[field] === "string" && (field !== "db_id" || row[field] !== "")) return [];
    const got = JSON.stringify(row[field]);
    return [`"${field}" is ${got.length > 40 ? `${got.slice(0, 40)}…` : got}`];
  });
  return `${wrong.join(", ")}; expected text in "db_id" (not empty), "gold" and "pred"`;
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

function endingOf({ status, message }: Execution): Ending {
  return { status, message };
}

/** Whether there was a database to run statements on. */
function hasRun({ status }: Database, verdicts: Readonly<Record<string, Verdict>>): boolean {
  if (status === "missing") return false;
  return !Object.values(verdicts).some(
    (verdict) => verdict.status === "unscored" && verdict.reason === "database_unreadable",
  );
}

function partsOf({ tables, foreignKeys }: DatabaseSchema): number {
  return tables.reduce((sum, { columns }) => sum + 1 + columns.length, 1 + foreignKeys.length);
}

class PairScorer {
  readonly #request: ScorePairsRequest;
  readonly #services: ScorePairsServices;
  readonly #databases = new RecentMap<string, Promise<Database>>(KEPT_SCHEMA_PARTS);
  readonly #timing: { readonly timingRounds?: number };
  /** Ids of the metrics that are no labels. */
  readonly scoring: readonly string[];

  constructor(request: ScorePairsRequest, services: ScorePairsServices) {
    this.#request = request;
    this.#services = services;
    const metrics = request.metrics.filter((metric) => metric.kind === "metric");
    this.scoring = metrics.map((metric) => metric.id);
    const isTimed = metrics.some((metric) => metric.needs.timings === true);
    this.#timing = isTimed ? { timingRounds: request.timingRounds ?? R_VES_ROUNDS } : {};
  }

  async score(value: unknown, line: number): Promise<ScoredLine> {
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
      const bad = unscored("bad_row", badRowText(row));
      return { row, verdicts: Object.fromEntries(this.#request.metrics.map((metric) => [metric.id, bad])) };
    }
    const database = await this.#database(pair.data.db_id);
    const reply = await this.#judge(database, pair.data.gold, pair.data.pred);
    const judged = reply?.answers[0]?.verdicts ?? {};
    const verdicts: Verdicts = {};
    for (const metric of this.#request.metrics) {
      verdicts[metric.id] =
        metric.kind === "label"
          ? metric.label(pair.data.gold, database.schema, publishedDifficulty(row))
          : officially(judged[metric.id] as Verdict, metric);
    }
    const [gold, answer] = [reply?.gold[0], reply?.answers[0]];
    if (gold === undefined || answer === undefined || !hasRun(database, judged)) return { row, verdicts };
    return { row, verdicts, executions: { gold: endingOf(gold), pred: endingOf(answer.execution) } };
  }

  /** The judge's reply; `undefined` when there is no metric to ask for. */
  async #judge(database: Database, gold: string, prediction: string): Promise<JudgeReply | undefined> {
    if (this.scoring.length === 0) return undefined;
    return this.#services.judge.judge({
      database,
      gold: [gold],
      predictions: [prediction],
      metrics: this.scoring,
      goldLimits: this.#request.goldLimits,
      predictionLimits: this.#request.predictionLimits,
      ...this.#timing,
    });
  }

  #database(databaseId: string): Promise<Database> {
    let database = this.#databases.get(databaseId);
    if (database === undefined) {
      const described = this.#request.schemas.get(databaseId) ?? null;
      const file = this.#request.databasePath(databaseId);
      const found = this.#services.inspector.inspect({
        databaseId,
        path: file,
        described,
        valuesPerColumn: 0,
      });
      this.#databases.set(databaseId, found);
      database = found.then((one) => {
        this.#databases.set(databaseId, found, partsOf(one.schema));
        return one;
      });
    }
    return database;
  }
}
