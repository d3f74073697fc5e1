import { defineCheck } from "../../core/check.ts";

export default defineCheck({
  id: "integer-division",
  version: 1,
  title: "integers are divided, and the fraction is lost",
  kinds: {
    fraction_lost: {
      severity: "error",
      confidence: 0.75,
      meaning: "the same statement with a real division gives another result",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "integer_division" },
    },
  },
  probes: ({ sql, facts }) => {
    const real = withRealDivisions(sql, facts.divisions);
    return real === null ? [] : [{ name: "real", sql: real, maxRows: 3 }];
  },
  find: ({ sql, facts, execution }, answers) => {
    const real = answers.get("real");
    if (real?.execution.status !== "ok" || execution.execution.status !== "ok") return [];
    if (sameValues(execution.rows.slice(0, 3), real.rows)) return [];
    const after = withRealDivisions(sql, facts.divisions) ?? sql;
    const texts = facts.divisions.filter((one) => !one.isReal).map(({ text }) => text);
    return [
      {
        kind: "fraction_lost",
        message: `integers are divided in ${texts.join(", ")}: the fraction is lost`,
        evidence: { divisions: texts, rows: execution.rows.slice(0, 3), realRows: real.rows },
        suggestion: { field: "gold", after },
      },
    ];
  },
});

function withRealDivisions(
  sql: string,
  divisions: readonly { readonly isReal: boolean; readonly start: number }[],
): string | null {
  const cut = divisions.filter((one) => !one.isReal).map(({ start }) => start);
  if (cut.length === 0) return null;
  let changed = sql;
  for (const start of [...cut].sort((left, right) => right - left)) {
    changed = `${changed.slice(0, start)}* 1.0 ${changed.slice(start)}`;
  }
  return changed;
}

function sameValues(left: readonly (readonly unknown[])[], right: readonly (readonly unknown[])[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
