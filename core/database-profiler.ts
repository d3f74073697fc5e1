import { z } from "zod";
import type { Database } from "./database.ts";
import type { DatabaseProfile } from "./database-profile.ts";

/** Bounds of a profile and its search index; they are part of what it is cached under. */
export const ProfileOptions = z.strictObject({
  /** Frequent values kept of each column. */
  samplesPerColumn: z.int().nonnegative().default(5),
  /** A column with more distinct texts is left out of the index. */
  maxValuesPerColumn: z.int().nonnegative().default(200_000),
  /** Characters of a value; longer ones are left out of the index. */
  maxValueCharacters: z.int().positive().default(200),
  /** Values of the whole index; columns are taken in the schema's order until it is full. */
  maxValues: z.int().nonnegative().default(2_000_000),
  /** The share of a column's distinct values that another has to hold to be its key. */
  minContained: z.number().min(0).max(1).default(0.99),
});
export type ProfileOptions = z.infer<typeof ProfileOptions>;

/** What to look for in a database's index. */
export interface SearchRequest {
  readonly database: Database;
  readonly options: ProfileOptions;
  /** Free text of an agent; nothing in it is syntax. */
  readonly text: string;
  /** `trigram` finds parts of words and near spellings, `words` whole words. */
  readonly matcher: "trigram" | "words";
  /** Only this table or column, names compared without ASCII case; all when left out. */
  readonly table?: string;
  readonly column?: string;
  /** The best matches to give of each kind; 0 for none. */
  readonly maxNames: number;
  readonly maxValues: number;
  /** The best matches to give of one column. */
  readonly maxValuesPerColumn: number;
}

/** A table (`column` is `null`) or column whose name matches. `score`: BM25, higher is better. */
export const NameMatch = z.strictObject({
  table: z.string(),
  column: z.string().nullable(),
  score: z.number(),
});
export type NameMatch = z.infer<typeof NameMatch>;

/** A cell value that matches, with the column that has it. */
export const ValueMatch = z.strictObject({
  table: z.string(),
  column: z.string(),
  value: z.string(),
  score: z.number(),
});
export type ValueMatch = z.infer<typeof ValueMatch>;

/** Matches, the best first; equal ones by the schema's order, then by text. */
export const SearchReply = z.strictObject({
  names: z.array(NameMatch),
  values: z.array(ValueMatch),
});
export type SearchReply = z.infer<typeof SearchReply>;

/**
 * The port that profiles databases and searches their indices, in processes of its own. Both are made once
 * for each database digest and options, and kept.
 * @throws PROFILE_FAILED for a readable database whose content twice killed the process that profiled it,
 * SQL_JUDGE_CLOSED, SQL_WORKER_FAILED; never for what a search text says.
 */
export interface DatabaseProfiler {
  /** An unreadable database gives a profile without tables. `progress` hears of rows read, of about `total`. */
  profile(
    database: Database,
    options: ProfileOptions,
    progress?: (done: number, total: number) => void,
  ): Promise<DatabaseProfile>;
  search(request: SearchRequest): Promise<SearchReply>;
}
