import type { Database, DatabaseSchema } from "../core/database.ts";
import type { DatabaseProfile } from "../core/database-profile.ts";
import type { SearchReply } from "../core/database-profiler.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import type { InspectRequest } from "../core/inspector.ts";
import type { QueryReply } from "../core/sql-runner.ts";
import type { ProfilingRequest } from "../io/profile-database.ts";
import type { IndexRequest } from "../io/search-index.ts";
import type { JudgedMessage } from "./judged-message.ts";

/** Units of work that each request of a task has; those of its statements come first. */
export const GROUP_UNITS = 2 ** 24;

/** Where the places of rewritten statements begin: those of golds are even, those of predictions odd. */
const FIRST_REWRITTEN = 2 ** 22;

/** A statement whose end is known without running it, because it killed its worker twice. */
export interface KnownEnd {
  /** Its place: golds first, then predictions, then rewritten statements as they are first run. */
  readonly statement: number;
  readonly status: "timeout" | "crashed";
  readonly message: string;
}

/** One judge request as a worker gets it. */
export interface JudgeGroup {
  readonly id: number;
  /** The unit of its first gold; the other golds and then the predictions follow. */
  readonly firstUnit: number;
  /** Key of its schema in the worker's memory. */
  readonly schemaKey: string;
  readonly gold: readonly string[];
  /** Distinct. */
  readonly predictions: readonly string[];
  readonly metrics: readonly string[];
  readonly goldLimits: ExecutionLimits;
  readonly predictionLimits: ExecutionLimits;
  /** How often statements are timed for metrics that need it; `undefined` where nothing is timed. */
  readonly timingRounds?: number | undefined;
  readonly known: readonly KnownEnd[];
}

/** The place of a request's `count`th rewritten statement, from 0. */
export function rewrittenPlace(count: number, role: "gold" | "prediction"): number {
  return Math.min(FIRST_REWRITTEN + 2 * count, GROUP_UNITS - 2) + (role === "gold" ? 0 : 1);
}

/** The limits of the statement at a place. */
export function limitsAt(
  group: Pick<JudgeGroup, "gold" | "goldLimits" | "predictionLimits">,
  statement: number,
): ExecutionLimits {
  const isGold = statement < FIRST_REWRITTEN ? statement < group.gold.length : statement % 2 === 0;
  return isGold ? group.goldLimits : group.predictionLimits;
}

/** Requests on one database. */
export interface JudgeTask {
  readonly kind: "judge";
  /** `null` when the database has no file. */
  readonly path: string | null;
  /** The other files of its test suite, for metrics that judge on every file. */
  readonly morePaths: readonly string[];
  /** Schemas that the worker has not seen yet, by key. */
  readonly schemas: Readonly<Record<string, DatabaseSchema>>;
  /** Whether the worker must forget the schemas it has, first. */
  readonly forgetSchemas: boolean;
  readonly groups: readonly JudgeGroup[];
  /** Whether it runs alone because it killed a worker: then memory is spared where it can be. */
  readonly sparing: boolean;
}

export interface InspectTask {
  readonly kind: "inspect";
  readonly request: InspectRequest;
  /** A clean copy of the file to read the content from; `null` to read the file itself. */
  readonly copyPath: string | null;
}

/** Brings a copy of a database to rest: journals are played back, then gone. */
export interface SettleTask {
  readonly kind: "settle";
  readonly path: string;
}

/** One statement of an agent. */
export interface QueryTask {
  readonly kind: "query";
  readonly path: string;
  readonly sql: string;
  readonly mode: "query" | "explore";
  readonly limits: ExecutionLimits;
  readonly maxShownRows: number;
  readonly maxCellCharacters: number;
  readonly readsInReverse?: boolean;
}

/** Profiles a database and writes its search index. */
export interface ProfileTask extends ProfilingRequest {
  readonly kind: "profile";
}

/** Searches the index of a database. */
export interface SearchTask {
  readonly kind: "search";
  readonly indexFile: string;
  readonly request: IndexRequest;
}

export type SqlTask = JudgeTask | InspectTask | SettleTask | QueryTask | ProfileTask | SearchTask;

/** What a worker sends back for a task. */
export type SqlPart =
  | { readonly kind: "judged"; readonly groups: readonly JudgedMessage[] }
  | { readonly kind: "inspected"; readonly database: Database }
  | { readonly kind: "queried"; readonly reply: QueryReply }
  | { readonly kind: "profiling"; readonly done: number; readonly total: number }
  | { readonly kind: "profiled"; readonly profile: DatabaseProfile }
  | { readonly kind: "searched"; readonly reply: SearchReply };
