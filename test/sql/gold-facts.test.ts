import { describe, expect, it } from "vitest";
import { goldFacts } from "../../sql/gold-facts.ts";
import { GOLD_SCHEMA } from "./gold-schema.ts";

const facts = (sql: string) => goldFacts(sql, GOLD_SCHEMA);
const JOIN = "FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id";

describe("goldFacts", () => {
  it("has nothing to say of what is no query", () => {
    expect(facts("DROP TABLE boat")).toMatchObject({ isQuery: false, results: [], tables: [] });
    expect(facts("SELECT (name FROM boat")).toMatchObject({ isQuery: false });
  });

  it("tells results, sources, groups, order and limit", () => {
    const read = facts(
      `SELECT T1.name, count(*) ${JOIN} WHERE T1.seats > 3 GROUP BY T1.name ORDER BY T1.price DESC LIMIT 2`,
    );
    expect(read.results.map(({ text, column, aggregates }) => [text, column?.column, aggregates])).toEqual([
      ["T1.name", "name", []],
      ["count(*)", undefined, ["count"]],
    ]);
    expect(read.sources.map(({ table, name, join }) => [table, name, join])).toEqual([
      ["Boat", "T1", ""],
      ["Crossing", "T2", "join"],
    ]);
    expect(read.rowsText.trim()).toBe(`${JOIN} WHERE T1.seats > 3`);
    expect(read.groupedBy.map(({ column }) => column)).toEqual(["name"]);
    expect(
      read.orderedBy.map(({ text, isDescending, column }) => [text, isDescending, column?.column]),
    ).toEqual([["T1.price", true, "price"]]);
    expect([read.limit, read.hasLimit, read.isPlain, read.isDistinct]).toEqual([2, true, true, false]);
  });

  it("tells joins of two columns, in ON and WHERE, and none of a sum", () => {
    const joined = (sql: string) => facts(sql).joins.map(({ left, right }) => [left.text, right.text]);
    expect(joined(`SELECT 1 ${JOIN}`)).toEqual([["T1.boat_id", "T2.boat_id"]]);
    expect(joined("SELECT 1 FROM boat, crossing WHERE boat.boat_id = crossing.boat_id")).toHaveLength(1);
    expect(joined("SELECT 1 FROM boat, crossing WHERE boat.boat_id = crossing.boat_id + 1")).toEqual([]);
  });

  it("tells aggregates with what they take", () => {
    const [call] = facts(`SELECT sum(DISTINCT T1.seats) ${JOIN}`).aggregates;
    expect(call).toMatchObject({
      name: "sum",
      isDistinct: true,
      argument: "T1.seats",
      column: { column: "seats" },
      isOutermost: true,
    });
    expect(facts("SELECT max(seats, 3) FROM boat").aggregates).toEqual([]);
  });

  it("tells whether a division is of integers", () => {
    const real = (expression: string) =>
      facts(`SELECT ${expression} FROM boat`).divisions.map(({ isReal }) => isReal);
    expect(real("count(*) * 100 / 3")).toEqual([false]);
    expect(real("count(*) * 100.0 / 3")).toEqual([true]);
    expect(real("CAST(count(*) AS REAL) * 100 / (3 + 4)")).toEqual([true]);
    expect(real("sum(seats) / count(*)")).toEqual([false]);
    expect(real("sum(price) / count(*)")).toEqual([true]);
  });

  it("tells hollow conditions and counts of everything", () => {
    expect(facts("SELECT 1 FROM boat WHERE price = NULL AND seats = seats").hollow).toEqual([
      { kind: "null_comparison", text: "price = NULL" },
      { kind: "same_column", text: "seats = seats" },
    ]);
    expect(facts("SELECT count(CASE WHEN seats > 1 THEN 1 ELSE 0 END) FROM boat").countsElse).toHaveLength(1);
    expect(facts("SELECT count(CASE WHEN seats > 1 THEN 1 END) FROM boat").countsElse).toEqual([]);
  });

  it("tells tables that are known and those that are not", () => {
    const read = facts("WITH few AS (SELECT 1) SELECT 1 FROM few, boat, ship UNION SELECT 2 FROM crossing");
    expect(read.tables).toEqual(["Boat", "Crossing"]);
    expect(read.unknownTables).toEqual(["ship"]);
    expect(read.setOperations).toEqual(["union"]);
    expect(read.isPlain).toBe(false);
  });
});
