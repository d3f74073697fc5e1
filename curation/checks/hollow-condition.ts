import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";

export default defineCheck({
  id: "hollow-condition",
  version: 1,
  title: "a condition is never true",
  kinds: {
    null_comparison: {
      severity: "error",
      confidence: 0.9,
      meaning: "= NULL is never true: IS NULL is meant",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Operator", audit: "gold_empty" },
    },
    repeated: {
      severity: "error",
      confidence: 0.75,
      meaning: "the gold asks for the same twice: OR, INTERSECT or UNION of equal conditions",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Condition", audit: "wrong_value_literal" },
    },
    contradiction: {
      severity: "error",
      confidence: 0.8,
      meaning: "one column has to be two values at once",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Condition", audit: "gold_empty" },
    },
  },
  find: (subject) => [
    ...subject.facts.hollow
      .filter(({ kind }) => kind === "null_comparison")
      .map(({ text }) => ({
        kind: "null_comparison",
        message: `${text} is never true`,
        evidence: { condition: text },
      })),
    ...contradictions(subject),
    ...repetitions(subject),
  ],
});

/** Equalities of one column with two values, where nothing but AND is between conditions. */
function contradictions({ facts, execution }: CheckSubject): Doubt[] {
  const hasChoice = ["or", "case", "union", "intersect", "except"].some((word) => facts.keywords.has(word));
  if (hasChoice || execution.execution.status !== "empty") return [];
  const values = new Map<string, Set<string>>();
  for (const { operator, column, value, isOutermost } of facts.literals) {
    if (operator !== "=" || column === null || !isOutermost) continue;
    const key = `${column.source} ${column.column}`;
    values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  return [...values]
    .filter(([, several]) => several.size > 1)
    .map(([key, several]) => {
      const column = key.split(" ").slice(1).join(" ");
      const message = `${column} has to be ${[...several].join(" and ")} at once`;
      return { kind: "contradiction", message, evidence: { column, values: [...several] } };
    });
}

/** Equal conditions on the two sides of an OR, or equal sides of a set operation. */
function repetitions({ facts, sql }: CheckSubject): Doubt[] {
  const sides = sql
    .split(/\b(?:intersect|union\s+all|union|except)\b/i)
    .map((side) => side.replaceAll(/[\s;]+/g, " ").trim());
  if (facts.setOperations.length === 1 && sides.length === 2 && sides[0] === sides[1]) {
    const [operation = ""] = facts.setOperations;
    const message = `both sides of ${operation.toUpperCase()} are the same`;
    return [{ kind: "repeated", message, evidence: { side: sides[0] ?? "" } }];
  }
  const compared = facts.literals.filter(({ column, isOutermost }) => column !== null && isOutermost);
  if (!facts.keywords.has("or") || compared.length !== 2) return [];
  const [left, right] = compared.map(({ column, operator, value }) =>
    JSON.stringify([column?.source, column?.column, operator, value]),
  );
  if (left !== right) return [];
  const value = compared[0]?.value ?? "";
  const column = compared[0]?.column?.column ?? "";
  const message = `${column} is compared with ${JSON.stringify(value)} on both sides of OR`;
  return [{ kind: "repeated", message, evidence: { column, value } }];
}
