import { pMapIterable } from "p-map";
import type { Database } from "../core/database.ts";
import { isReadable } from "../core/database.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import type { QueryReply, ShownCell, SqlRunner } from "../core/sql-runner.ts";
import { cutsTie } from "../curation/graded-equality.ts";
import { planGold } from "../curation/graded-gold.ts";
import type { GradingPlan } from "../curation/graded-gold.ts";
import { gradingMode } from "../curation/grading-mode.ts";
import type { FindingKind, Grading, GradingFacts, GradingMode, RowCut } from "../curation/grading-mode.ts";
import type { ComparedColumn } from "../sql/compared-columns.ts";
import { bareColumnProbe, bareExtremeProbe, numericTextProbe } from "../sql/grading-probes.ts";
import { gradingSigns } from "../sql/grading-signs.ts";
import type { GradingSigns } from "../sql/grading-signs.ts";

/** Rows behind LIMIT that are looked at for a tie. */
const SPARE_ROWS = 100;

/** What a probe brings back at most. */
const SHOWN_ROWS = 2000;
const SHOWN_CHARACTERS = 500;

/** A gold to grade. */
export interface GoldToGrade {
  readonly sourceId: string;
  readonly databaseId: string;
  readonly sql: string;
}

/** A gold of which the result, or what was asked for, is not determined by its data. */
export interface UndeterminedGold extends Grading {
  readonly sourceId: string;
  readonly databaseId: string;
}

/** The golds of a split by the mode that their answers are to be judged in. */
export interface GradingReport {
  /** Golds that ran. */
  readonly graded: number;
  /** Golds without a finding. */
  readonly stable: number;
  /** A mode that no gold has is absent. */
  readonly modes: Readonly<Partial<Record<GradingMode, number>>>;
  /** Golds with each kind of finding, the commonest first. */
  readonly findings: readonly { readonly kind: FindingKind; readonly golds: number }[];
  /** In their order. */
  readonly undetermined: readonly UndeterminedGold[];
}

export interface GradeRequest {
  readonly golds: readonly GoldToGrade[];
  readonly databases: ReadonlyMap<string, Database>;
  readonly runner: SqlRunner;
  /** Of one statement. */
  readonly limits: ExecutionLimits;
  /** Golds graded at once. */
  readonly concurrency: number;
  progress(done: number, total: number): void;
}

/** Finds the grading mode of each gold by its text and data. Golds that do not run are left out. */
export async function gradeGolds(request: GradeRequest): Promise<GradingReport> {
  const { golds, concurrency } = request;
  const grader = new GoldGrader(request.runner, request.limits);
  const modes = new Map<GradingMode, number>();
  const kinds = new Map<FindingKind, number>();
  const undetermined: UndeterminedGold[] = [];
  let [done, graded] = [0, 0];
  const gradeOne = async (gold: GoldToGrade): Promise<{ gold: GoldToGrade; grading: Grading | null }> => {
    const database = request.databases.get(gold.databaseId);
    const canRun = database !== undefined && isReadable(database);
    return { gold, grading: canRun ? await grader.grade(database, gold.sql) : null };
  };
  for await (const { gold, grading } of pMapIterable(golds, gradeOne, { concurrency })) {
    done += 1;
    request.progress(done, golds.length);
    if (grading === null) continue;
    graded += 1;
    modes.set(grading.mode, (modes.get(grading.mode) ?? 0) + 1);
    for (const kind of new Set(grading.findings.map((one) => one.kind))) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const { sourceId, databaseId } = gold;
    if (grading.findings.length > 0) undetermined.push({ sourceId, databaseId, ...grading });
  }
  return {
    graded,
    stable: graded - undetermined.length,
    modes: Object.fromEntries(sortedByName(modes)),
    findings: sortedByName(kinds)
      .map(([kind, count]) => ({ kind, golds: count }))
      .sort((left, right) => right.golds - left.golds),
    undetermined,
  };
}

function sortedByName<Name extends string>(counts: ReadonlyMap<Name, number>): (readonly [Name, number])[] {
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Grades golds one by one; what it learns of a column it keeps. */
export class GoldGrader {
  readonly #runner: SqlRunner;
  readonly #limits: ExecutionLimits;
  readonly #numericText = new Map<string, Promise<boolean>>();

  constructor(runner: SqlRunner, limits: ExecutionLimits) {
    this.#runner = runner;
    this.#limits = limits;
  }

  /** The mode and findings of a gold; `null` when it does not run. */
  async grade(database: Database, sql: string): Promise<Grading | null> {
    const result = await this.#run(database, sql);
    if (!hasRun(result)) return null;
    const signs = gradingSigns(sql, database.schema);
    const { ordersRows, uniqueRows, clock, random } = signs;
    return gradingMode({
      ordersRows,
      uniqueRows,
      rows: result.execution.rows,
      ...(await this.#cut(database, signs.query)),
      cutsInside: await this.#cutsInside(database, signs),
      numericText: await this.#numericTextIn(database, signs.textInOrder),
      clock,
      random,
      bareColumns: await this.#bareColumns(database, signs),
      dependsOnRowOrder: random.length === 0 && (await this.#changesInReverse(database, sql, result)),
    });
  }

  #run(database: Database, sql: string, readsInReverse = false): Promise<QueryReply> {
    return this.#runner.query({
      database,
      sql,
      mode: "query",
      limits: this.#limits,
      maxShownRows: SHOWN_ROWS,
      maxCellCharacters: SHOWN_CHARACTERS,
      readsInReverse,
    });
  }

  async #cut(
    database: Database,
    query: GradingSigns["query"],
  ): Promise<Pick<GradingFacts, "cut" | "nullFirst">> {
    if (query === null || query.limit === null || (query.limit.count ?? 0) < 0) {
      return { cut: "none", nullFirst: false };
    }
    const planned = planGold(query, SPARE_ROWS);
    const reply = planned === null ? null : await this.#run(database, planned.sql);
    if (planned === null || reply === null || !hasRun(reply)) return { cut: "unknown", nullFirst: false };
    const nullsFirst = query.orderBy.map((term) => term.nullsFirst);
    return { cut: cutOf(reply, planned.plan), nullFirst: keepsNull(reply, planned.plan, nullsFirst) };
  }

  async #cutsInside(database: Database, { limitedSubqueries }: GradingSigns): Promise<boolean> {
    for (const query of limitedSubqueries) {
      const { cut } = await this.#cut(database, query);
      if (cut === "tie" || cut === "unordered") return true;
    }
    return false;
  }

  async #bareColumns(database: Database, signs: GradingSigns): Promise<string[]> {
    const several: string[] = [];
    for (const column of signs.bareColumns) {
      const probe = bareProbe(signs, column);
      const reply = probe === null ? null : await this.#run(database, probe);
      if (reply !== null && reply.execution.rows > 0) several.push(column);
    }
    return several;
  }

  async #numericTextIn(database: Database, columns: readonly ComparedColumn[]): Promise<string[]> {
    const found = new Set<string>();
    for (const one of columns) {
      const sql = numericTextProbe(one);
      const key = `${database.databaseId}\n${database.digest}\n${sql}`;
      const known = this.#numericText.get(key) ?? this.#isNumericText(database, sql);
      this.#numericText.set(key, known);
      if (await known) found.add(`${one.table}.${one.column} by ${one.by}`);
    }
    return [...found];
  }

  async #isNumericText(database: Database, probe: string): Promise<boolean> {
    const reply = await this.#run(database, probe);
    return reply.execution.rows > 0;
  }

  async #changesInReverse(database: Database, sql: string, result: QueryReply): Promise<boolean> {
    const reversed = await this.#run(database, sql, true);
    return hasRun(reversed) && reversed.execution.digest !== result.execution.digest;
  }
}

function bareProbe({ query, extreme }: GradingSigns, column: string): string | null {
  if (query === null) return null;
  return extreme === null ? bareColumnProbe(query, column) : bareExtremeProbe(query, column, extreme);
}

function hasRun({ execution }: QueryReply): boolean {
  return execution.status === "ok" || execution.status === "empty";
}

function cutOf({ rows }: QueryReply, plan: GradingPlan): RowCut {
  const shown = rows.map((row) => JSON.stringify(row.slice(0, row.length - plan.added)));
  const keys = rows.map((row) => JSON.stringify(keysOf(row, plan)));
  const isCut = cutsTie({ rows: shown, keys }, windowOf(rows.length, plan));
  if (!isCut) return "clean";
  return plan.keys.length === 0 ? "unordered" : "tie";
}

function keepsNull({ rows }: QueryReply, plan: GradingPlan, nullsFirst: readonly boolean[]): boolean {
  const { from, to } = windowOf(rows.length, plan);
  return rows
    .slice(from, to)
    .some((row) => keysOf(row, plan).some((key, index) => key === null && nullsFirst[index] === true));
}

function keysOf(row: readonly ShownCell[], plan: GradingPlan): readonly ShownCell[] {
  return plan.keys.map((index) => row.at(index) ?? null);
}

function windowOf(length: number, { offset, count }: GradingPlan): { from: number; to: number } {
  return { from: Math.min(offset, length), to: Math.min(offset + (count ?? length), length) };
}
