import { defineCheck } from "../../core/check.ts";

export default defineCheck({
  id: "self-join",
  version: 1,
  title: "a condition compares a column with itself",
  kinds: {
    same_column: {
      severity: "error",
      confidence: 0.9,
      meaning: "both sides of a comparison are the same column of the same use of a table",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Table", audit: "self_join_typo" },
    },
    own_key: {
      severity: "warning",
      confidence: 0.35,
      meaning: "a table is joined to itself on its whole primary key, which adds nothing",
      taxonomy: { wretblad: "3", "nl2sql-bugs": "Table", audit: "self_join_typo" },
    },
  },
  find: ({ facts, database }) => {
    const hollow = facts.hollow
      .filter(({ kind }) => kind === "same_column")
      .map(({ text }) => ({
        kind: "same_column",
        message: `${text} compares a column with itself`,
        evidence: { condition: text },
      }));
    const own = facts.joins.flatMap(({ left, right }) => {
      if (left.table === null || left.table !== right.table || left.column !== right.column) return [];
      const keys = database.schema.tables
        .find(({ name }) => name === left.table)
        ?.columns.filter(({ primaryKey }) => primaryKey > 0);
      if (keys?.length !== 1 || keys[0]?.name !== left.column) return [];
      const text = `${left.text} = ${right.text}`;
      const message = `${text} joins ${left.table} to itself on its primary key`;
      return [{ kind: "own_key", message, evidence: { condition: text } }];
    });
    return [...hollow, ...own];
  },
});
