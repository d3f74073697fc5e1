import { z } from "zod";
import type { Database } from "./database.ts";
import { Execution, type ExecutionLimits } from "./execution.ts";

/**
 * A cell as an agent's tool gets it, in plain JSON: integers beyond 2^53 as `{integer}` in decimal digits,
 * infinities as `{real}`, blobs as `{blob}` in hexadecimal, text that is not UTF-8 with U+FFFD in its place.
 */
export const ShownCell = z.union([
  z.null(),
  z.number(),
  z.string(),
  z.strictObject({ integer: z.string() }),
  z.strictObject({ real: z.string() }),
  z.strictObject({ blob: z.string() }),
]);
export type ShownCell = z.infer<typeof ShownCell>;

/** A statement that an agent asks for. */
export interface QueryRequest {
  readonly database: Database;
  readonly sql: string;
  /** `explore` also allows the reading PRAGMAs and the schema tables. */
  readonly mode: "query" | "explore";
  readonly limits: ExecutionLimits;
  /** Rows to bring back; the execution counts all of them. */
  readonly maxShownRows: number;
  /** Characters of a cell to bring back; a longer one is cut and ends in `…`. */
  readonly maxCellCharacters: number;
  /** Whether tables are read in the reverse order where nothing says which; as they are unless given. */
  readonly readsInReverse?: boolean;
}

/** What a statement gave. `rows` are the first ones, positional, in the statement's order. */
export const QueryReply = z.strictObject({
  execution: Execution,
  columnNames: z.array(z.string()),
  rows: z.array(z.array(ShownCell)),
});
export type QueryReply = z.infer<typeof QueryReply>;

/** The port that runs an agent's statements, in a process of its own. Never throws for what a statement does. */
export interface SqlRunner {
  query(request: QueryRequest): Promise<QueryReply>;
}
