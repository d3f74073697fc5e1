import { defineCheck } from "../../core/check.ts";

export default defineCheck({
  id: "count-else-zero",
  version: 1,
  title: "COUNT of a CASE whose ELSE is a value counts every row",
  kinds: {
    counts_every_row: {
      severity: "error",
      confidence: 0.92,
      meaning: "COUNT counts zeros too: SUM is meant, or no ELSE",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "count_case_else_zero" },
    },
  },
  find: ({ sql, facts }) =>
    facts.countsElse.map((text) => ({
      kind: "counts_every_row",
      message: `${text} counts every row, those of ELSE too`,
      evidence: { call: text },
      suggestion: { field: "gold" as const, after: sql.replace(text, text.replace(/^count/i, "SUM")) },
    })),
});
