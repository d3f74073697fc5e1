import { z } from "zod";

/**
 * How a run of one SQL statement ended. `empty`: ran, no rows. `timeout`: over its CPU limit, confirmed
 * alone. `too_large`: more rows or bytes than allowed. `denied`: refused before it ran (a write, a second
 * statement, a PRAGMA). `crashed`: its worker died twice for another reason than CPU (memory, a signal).
 */
export const ExecutionStatus = z.enum(["ok", "empty", "error", "timeout", "too_large", "denied", "crashed"]);
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

/** The outcome of one run, without its rows. No durations: those go to a run log. */
export const Execution = z.strictObject({
  status: ExecutionStatus,
  /** The engine's or the check's message; empty when the statement ran. */
  message: z.string(),
  rows: z.int().nonnegative(),
  columns: z.int().nonnegative(),
  /** Digest of the rows as a multiset, 32 hexadecimal digits; empty unless `ok` or `empty`. */
  digest: z.string(),
  /** Digest of the rows in their order. */
  orderedDigest: z.string(),
});
export type Execution = z.infer<typeof Execution>;

/**
 * A cell of a result, losslessly: INTEGER as bigint, REAL as number, TEXT as string, BLOB as bytes. Text
 * that is not valid UTF-8 arrives as {@link InvalidText}.
 */
export type Cell = null | bigint | number | string | Uint8Array | InvalidText;

/** Bytes stored as TEXT that are not UTF-8. Two different ones stay different. */
export class InvalidText {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Limits of one run of a statement. */
export interface ExecutionLimits {
  /** CPU time, milliseconds. */
  readonly cpuMs: number;
  readonly maxRows: number;
  /** Bytes of text and blobs in the result. */
  readonly maxBytes: number;
}

/** A finished run with its rows, as a metric in the worker sees it. Rows are positional. */
export interface ResultTable {
  readonly execution: Execution;
  readonly columnNames: readonly string[];
  /** All rows when the status is `ok`; none otherwise. */
  readonly rows: readonly (readonly Cell[])[];
  /** Runs the statement again and yields its rows one by one; for a result too large to hold. */
  readonly stream: () => Iterable<readonly Cell[]>;
}
