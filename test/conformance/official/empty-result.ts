import type { ResultTable } from "../../../core/execution.ts";

/** Stands for the results of statements that were not run, for metrics that need no rows. */
export const EMPTY_RESULT: ResultTable = {
  execution: { status: "empty", message: "", rows: 0, columns: 0, digest: "", orderedDigest: "" },
  columnNames: [],
  rows: [],
  stream: () => [],
};
