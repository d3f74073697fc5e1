import type { DatabaseSchema } from "../../../core/database.ts";
import type { Cell, ExecutionStatus, ResultTable } from "../../../core/execution.ts";
import type { JudgedPair } from "../../../core/metric.ts";

type Rows = readonly (readonly Cell[])[];

/** A database without tables: no name is the name of a column. */
export const NO_TABLES: DatabaseSchema = { databaseId: "harbour", tables: [], foreignKeys: [] };

/** A result; `names` are its columns'. The rows of a `too_large` one come only as a stream. */
export function resultOf(names: readonly string[], rows: Rows, status?: ExecutionStatus): ResultTable {
  return {
    execution: {
      status: status ?? (rows.length === 0 ? "empty" : "ok"),
      message: "",
      rows: rows.length,
      columns: names.length,
      digest: "",
      orderedDigest: "",
    },
    columnNames: names,
    rows: status === "too_large" ? [] : rows,
    stream: () => rows,
  };
}

/** A result whose columns have names that no other result has, so that they are matched by content. */
export function unnamed(rows: Rows, status?: ExecutionStatus): ResultTable {
  return resultOf(
    Array.from({ length: rows[0]?.length ?? 1 }, (_, index) => `count(${index})`),
    rows,
    status,
  );
}

/** A pair to judge; the statements select without an order unless given. */
export function pairOf(
  gold: ResultTable,
  predicted: ResultTable,
  sql: { readonly gold?: string; readonly predicted?: string } = {},
): JudgedPair {
  return {
    goldSql: sql.gold ?? "SELECT a FROM t",
    predictedSql: sql.predicted ?? "SELECT b FROM t",
    gold,
    predicted,
    schema: NO_TABLES,
  };
}
