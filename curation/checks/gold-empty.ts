import { defineCheck } from "../../core/check.ts";
import type { Database } from "../../core/database.ts";

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
    nothing_left: {
      severity: "note",
      confidence: 0.2,
      meaning: "a gold that takes some rows away from others, or asks for those in both, gives none",
      taxonomy: { audit: "gold_empty" },
    },
    empty_table: {
      severity: "note",
      confidence: 0.05,
      meaning: "the gold gives nothing because a table that it reads has no rows",
      taxonomy: { audit: "gold_empty" },
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
  find: ({ execution: { execution, rows }, facts, database }) => {
    const evidence = { rows: execution.rows };
    const cells = rows.flat();
    const isNothing = cells.every((cell) => cell === null || cell === 0);
    const ran = execution.status === "empty" || execution.status === "ok";
    const empty = emptyTables(facts.tables, database);
    if (ran && rows.length < 2 && isNothing && empty.length > 0) {
      const message = `its gold gives nothing: ${empty.join(", ")} has no rows`;
      return [{ kind: "empty_table", message, evidence: { tables: empty } }];
    }
    if (execution.status === "empty") {
      const takesAway =
        ["except", "intersect", "exists"].some((word) => facts.keywords.has(word)) ||
        facts.keywords.has("not");
      const kind = takesAway ? "nothing_left" : "no_rows";
      return [{ kind, message: "its gold gives no rows", evidence }];
    }
    if (execution.status !== "ok" || rows.length < execution.rows) return [];
    if (cells.every((cell) => cell === null)) {
      return [{ kind: "all_null", message: "its gold gives nothing but NULL", evidence }];
    }
    return rows.length === 1 && isNothing
      ? [{ kind: "zero", message: "its gold gives one row of zeros", evidence }]
      : [];
  },
});

/** Tables among some that have no rows. */
function emptyTables(names: readonly string[], { schema, rowCounts }: Database): string[] {
  return names.filter((name) => {
    const place = schema.tables.findIndex((table) => table.name === name);
    return rowCounts[place] === 0;
  });
}
