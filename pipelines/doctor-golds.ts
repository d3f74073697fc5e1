import { pMapIterable } from "p-map";
import type { Database } from "../core/database.ts";
import type { Execution, ExecutionLimits } from "../core/execution.ts";
import type { Judge } from "../core/judge.ts";
import type { BrokenGold, GoldReport, GoldStatus } from "./doctor-report.ts";

/** A gold to run, and the dialogue that it is a turn of. */
export interface GoldItem {
  readonly sourceId: string;
  readonly databaseId: string;
  readonly sql: string;
  readonly dialogueId: string | null;
}

export interface GoldRun {
  readonly items: readonly GoldItem[];
  readonly databases: ReadonlyMap<string, Database>;
  readonly judge: Judge;
  readonly limits: ExecutionLimits;
  /** Golds handed to the judge at once. */
  readonly concurrency: number;
  readonly progress: (done: number, total: number) => void;
}

/** The report on the golds, and the dialogues with a gold that did not run. */
export interface RunGolds {
  readonly report: GoldReport;
  readonly brokenDialogues: ReadonlySet<string>;
}

const UNUSABLE: Readonly<Partial<Record<Database["status"], GoldStatus>>> = {
  missing: "database_missing",
  not_a_database: "database_unusable",
  corrupt: "database_unusable",
};

/** Runs every gold, without a prediction, and groups how they ended. */
export async function runGolds(run: GoldRun): Promise<RunGolds> {
  const statuses: Partial<Record<GoldStatus, number>> = {};
  const broken: BrokenGold[] = [];
  const brokenDialogues = new Set<string>();
  const outcomes = pMapIterable(run.items, (item) => runGold(run, item), { concurrency: run.concurrency });
  let done = 0;
  for await (const { item, status, message } of outcomes) {
    done += 1;
    run.progress(done, run.items.length);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === "ok" || status === "empty") continue;
    if (item.dialogueId !== null) brokenDialogues.add(item.dialogueId);
    if (status === "database_missing" || status === "database_unusable") continue;
    const { sourceId, databaseId } = item;
    broken.push({ sourceId, databaseId, status, cause: causeOf(status, message), message });
  }
  const ran = (statuses.ok ?? 0) + (statuses.empty ?? 0);
  const report = {
    total: run.items.length,
    statuses: sorted(statuses),
    ran,
    causes: causesOf(broken),
    broken,
  };
  return { report, brokenDialogues };
}

async function runGold(
  run: GoldRun,
  item: GoldItem,
): Promise<{ item: GoldItem; status: GoldStatus; message: string }> {
  const database = run.databases.get(item.databaseId);
  const unusable = database === undefined ? "database_missing" : UNUSABLE[database.status];
  if (database === undefined || unusable !== undefined) {
    return { item, status: unusable ?? "database_missing", message: database?.message ?? "" };
  }
  const reply = await run.judge.judge({
    database,
    gold: [item.sql],
    predictions: [],
    metrics: [],
    goldLimits: run.limits,
    predictionLimits: run.limits,
  });
  const execution: Execution | undefined = reply.gold[0];
  return {
    item,
    status: execution?.status ?? "crashed",
    message: execution?.message ?? "the judge gave no answer",
  };
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/no such table/i, "no such table"],
  [/no such column/i, "no such column"],
  [/no such function/i, "no such function"],
  [/ambiguous column name/i, "ambiguous column name"],
  [/syntax error|incomplete input|unrecognized token|no closing quote/i, "syntax"],
  [/do not have the same number of result columns/i, "set operation on unlike columns"],
  [/should come after (UNION|INTERSECT|EXCEPT)/i, "ORDER BY or LIMIT before a set operation"],
  [/^A reading statement .* is accepted/, "not a query"],
  [/misuse of (aggregate|window)/i, "misuse of an aggregate"],
  [/wrong number of arguments/i, "wrong number of arguments"],
];

/** The kind of a failure: its status, or for an error what SQLite complains of. */
export function causeOf(status: GoldStatus, message: string): string {
  if (status !== "error") return status;
  return CAUSES.find(([pattern]) => pattern.test(message))?.[1] ?? "other error";
}

function causesOf(broken: readonly BrokenGold[]): GoldReport["causes"] {
  const counts = new Map<string, number>();
  for (const { cause } of broken) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts]
    .map(([cause, count]) => ({ cause, count }))
    .sort((left, right) => right.count - left.count || (left.cause < right.cause ? -1 : 1));
}

function sorted(statuses: GoldReport["statuses"]): GoldReport["statuses"] {
  return Object.fromEntries(Object.entries(statuses).sort(([left], [right]) => (left < right ? -1 : 1)));
}
