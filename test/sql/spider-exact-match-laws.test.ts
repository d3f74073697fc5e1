import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SPIDER_COMPONENTS, spiderExactMatch } from "../../sql/spider-exact-match.ts";
import type { SpiderQuery } from "../../sql/spider-query.ts";
import { FLIGHT_SCHEMA } from "./flight-schema.ts";
import { parseFlightQuery } from "./parse-flight-query.ts";

const COLUMNS = ["source", "destination", "airline_id", "flight_no", "price"] as const;
const column = fc.constantFrom(...COLUMNS);
const aggregated = fc
  .tuple(fc.constantFrom("", "max", "min", "count", "sum", "avg"), fc.boolean(), column)
  .map(([aggregate, isDistinct, name]) =>
    aggregate === "" ? name : `${aggregate}(${isDistinct ? "DISTINCT " : ""}${name})`,
  );
const nested = fc
  .tuple(aggregated, column)
  .map(([item, name]) => `(SELECT ${item} FROM flight WHERE ${name} > 3)`);
const value = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("3", "4.5", "'a'", "price") }, nested);
const comparison = fc
  .tuple(column, fc.constantFrom("=", "!=", ">", "<=", "LIKE", "IN", "NOT IN"), value)
  .map((parts) => parts.join(" "));
const conditions = fc
  .tuple(comparison, fc.array(fc.tuple(fc.constantFrom("AND", "OR"), comparison), { maxLength: 2 }))
  .map(([first, more]) => [first, ...more.flat()].join(" "));

function clause(word: string, arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .option(arbitrary, { nil: undefined })
    .map((text) => (text === undefined ? "" : ` ${word} ${text}`));
}

const list = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(" , "));

const from = fc.constantFrom(
  "flight",
  "flight JOIN airport ON flight.source = airport.code",
  "airport JOIN flight",
  "airline JOIN flight ON airline.id = flight.airline_id OR airline.id = 3",
);
const simple = fc
  .record({
    distinct: fc.constantFrom("", "DISTINCT "),
    items: list(aggregated),
    from,
    where: clause("WHERE", conditions),
    group: clause(
      "GROUP BY",
      fc.tuple(list(column), clause("HAVING", conditions)).map((parts) => parts.join("")),
    ),
    order: clause(
      "ORDER BY",
      fc.tuple(list(aggregated), fc.constantFrom("", " ASC", " DESC")).map((parts) => parts.join("")),
    ),
    limit: clause("LIMIT", fc.constantFrom("1", "3")),
  })
  .map(
    (parts) =>
      `SELECT ${parts.distinct}${parts.items} FROM ${parts.from}${parts.where}${parts.group}${parts.order}${parts.limit}`,
  );
const query = fc
  .tuple(
    simple,
    fc.option(fc.tuple(fc.constantFrom("UNION", "EXCEPT", "INTERSECT"), simple), { nil: undefined }),
  )
  .map(([first, branch]) => parseFlightQuery(branch === undefined ? first : `${first} ${branch.join(" ")}`));

describe("spiderExactMatch", () => {
  it("matches every query with itself", () => {
    fc.assert(
      fc.property(query, (one) => {
        const result = spiderExactMatch(one, structuredClone(one), FLIGHT_SCHEMA);
        expect(result.exact).toBe(true);
        for (const component of SPIDER_COMPONENTS) expect(result.partial[component].f1).toBe(1);
      }),
    );
  });

  it("gives the same the other way round, with the totals exchanged", () => {
    fc.assert(
      fc.property(query, query, (one, other) => {
        const there = spiderExactMatch(one, other, FLIGHT_SCHEMA);
        const back = spiderExactMatch(other, one, FLIGHT_SCHEMA);
        expect(back.exact).toBe(there.exact);
        for (const component of SPIDER_COMPONENTS) {
          const { labelTotal, predTotal, ...rest } = there.partial[component];
          expect(back.partial[component]).toEqual({ ...rest, labelTotal: predTotal, predTotal: labelTotal });
        }
      }),
    );
  });

  it("leaves both queries as they were", () => {
    fc.assert(
      fc.property(query, query, (gold, predicted) => {
        const before = structuredClone([gold, predicted]);
        spiderExactMatch(gold, predicted, FLIGHT_SCHEMA);
        expect([gold, predicted]).toEqual(before);
      }),
    );
  });

  it("takes select items and tables in any order", () => {
    fc.assert(
      fc.property(query, (one) => {
        const reordered: SpiderQuery = {
          ...one,
          select: { ...one.select, items: one.select.items.toReversed() },
          from: { ...one.from, tableUnits: one.from.tableUnits.toReversed() },
        };
        expect(spiderExactMatch(one, reordered, FLIGHT_SCHEMA).exact).toBe(true);
      }),
    );
  });

  it("is never exact where a component is not", () => {
    fc.assert(
      fc.property(query, query, (gold, predicted) => {
        const { exact, partial } = spiderExactMatch(gold, predicted, FLIGHT_SCHEMA);
        if (exact === true) for (const component of SPIDER_COMPONENTS) expect(partial[component].f1).toBe(1);
      }),
    );
  });
});
