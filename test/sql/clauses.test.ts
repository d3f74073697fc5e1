import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clausesOf } from "../../sql/clauses.ts";
import type { ClauseItem } from "../../sql/query-texts.ts";
import { CLAUSE_CASES, SCHEMA_CASES } from "./clause-cases.ts";
import type { ClauseCase } from "./clause-cases.ts";
import { FERRY_SCHEMA } from "./ferry-schema.ts";

function show({ text, literals }: ClauseItem): string {
  return literals.length === 0 ? text : `${text} <- ${literals.join(" ")}`;
}

/** A clause in the notation of the cases. */
function shownClause(clauses: ReturnType<typeof clausesOf>, name: string): readonly string[] {
  switch (name) {
    case "distinct":
      return clauses.isDistinct ? ["yes"] : [];
    case "limit":
      return clauses.limit === null ? [] : [show(clauses.limit)];
    case "orderBy":
      return clauses.orderBy.map((term) => `${show(term)}${term.isDescending ? " desc" : ""}`);
    default:
      return (clauses[name as "select"] as readonly (ClauseItem | string)[]).map((item) =>
        typeof item === "string" ? item : show(item),
      );
  }
}

function check({ sql, expected }: ClauseCase, schema: typeof FERRY_SCHEMA | null): void {
  const clauses = clausesOf(sql, schema);
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, shownClause(clauses, name)]));
  expect(found).toEqual(expected);
}

describe("clausesOf", () => {
  it.each(CLAUSE_CASES)("$sql", (one) => {
    check(one, null);
  });

  it.each(SCHEMA_CASES)("with a schema: $sql", (one) => {
    check(one, FERRY_SCHEMA);
  });

  const words =
    "SELECT FROM WHERE AND OR ( ) , . ; a b 'x' 1 \"q\" JOIN ON USING AS WITH CASE END BETWEEN UNION ORDER BY GROUP LIMIT * = NATURAL -- \n [ ` count(".split(
      " ",
    );

  it("takes any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(fc.constantFrom(...words)).map((some) => some.join(" ")),
        ),
        (sql) => {
          expect(clausesOf(sql)).toEqual(clausesOf(sql));
          expect(clausesOf(sql, FERRY_SCHEMA)).toEqual(clausesOf(sql, FERRY_SCHEMA));
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });

  it.each([
    ["parentheses", "(".repeat(50_000)],
    ["subqueries", "SELECT a FROM t WHERE b IN (".repeat(10_000)],
    ["conditions in parentheses", `SELECT a FROM t WHERE ${"(a AND ".repeat(10_000)}`],
    ["groups of joins", `SELECT a FROM ${"(t JOIN ".repeat(10_000)}`],
    ["columns", `SELECT ${"a AS b, ".repeat(50_000)} c FROM t ORDER BY ${"b, ".repeat(10_000)} b`],
    ["joins", `SELECT a FROM t ${"JOIN t ON t.a = t.b ".repeat(20_000)}`],
    ["calls", `SELECT ${"sum(".repeat(20_000)}`],
    ["strings in a list", `SELECT a FROM t WHERE ${'"x",'.repeat(50_000)}`],
    ["compounds", "SELECT a FROM t UNION ALL ".repeat(20_000)],
  ])("takes long texts of %s", (_what, sql) => {
    expect(clausesOf(sql).limit).toBeNull();
  });
});
