import { defineCheck } from "../../core/check.ts";

export default defineCheck({
  id: "gold-empty",
  version: 1,
  title: "the gold gives nothing: no rows, only NULL, or a single 0",
  kinds: {
    no_rows: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold gives no rows, so that any query without rows is right",
      taxonomy: { wretblad: "6", kang: "E2", audit: "gold_empty" },
    },
    all_null: {
      severity: "warning",
      confidence: 0.55,
      meaning: "every value of the gold's result is NULL",
      taxonomy: { wretblad: "6", kang: "E2", audit: "gold_all_null" },
    },
    zero: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold gives one row of zeros: a count or share of nothing",
      taxonomy: { wretblad: "6", kang: "E2", audit: "gold_empty" },
    },
  },
  find: ({ execution: { execution, rows } }) => {
    const evidence = { rows: execution.rows };
    if (execution.status === "empty") {
      return [{ kind: "no_rows", message: "its gold gives no rows", evidence }];
    }
    if (execution.status !== "ok" || rows.length < execution.rows) return [];
    const cells = rows.flat();
    if (cells.every((cell) => cell === null)) {
      return [{ kind: "all_null", message: "its gold gives nothing but NULL", evidence }];
    }
    const isZero = rows.length === 1 && cells.every((cell) => cell === 0 || cell === null);
    return isZero ? [{ kind: "zero", message: "its gold gives one row of zeros", evidence }] : [];
  },
});
