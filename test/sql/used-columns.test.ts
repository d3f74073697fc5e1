import { expect, it } from "vitest";
import { outlineQuery } from "../../sql/query-scan.ts";
import { UsedColumns } from "../../sql/used-columns.ts";
import { GOLD_SCHEMA } from "./gold-schema.ts";

function columnsOf(sql: string): (string | null)[][] {
  return new UsedColumns(outlineQuery(sql), GOLD_SCHEMA).all.map(({ column }) => [
    column.table,
    column.column,
    column.source,
    column.text,
  ]);
}

it("finds whose a column is by its qualifier, and without one by the schema", () => {
  expect(
    columnsOf("SELECT T1.NAME, day FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id"),
  ).toEqual([
    ["Boat", "name", "0.0", "T1.NAME"],
    ["Crossing", "day", "0.1", "day"],
    ["Boat", "boat_id", "0.0", "T1.boat_id"],
    ["Crossing", "boat_id", "0.1", "T2.boat_id"],
  ]);
});

it("looks in the query around, and knows no table of a subquery's columns", () => {
  expect(
    columnsOf(
      "SELECT name FROM boat WHERE seats > (SELECT count(*) FROM crossing WHERE crossing.boat_id = boat.boat_id)",
    ),
  ).toEqual([
    ["Boat", "name", "0.0", "name"],
    ["Boat", "seats", "0.0", "seats"],
    ["Crossing", "boat_id", "1.0", "crossing.boat_id"],
    ["Boat", "boat_id", "0.0", "boat.boat_id"],
  ]);
  expect(columnsOf("SELECT d.n FROM (SELECT name AS n FROM boat) AS d")[0]).toEqual([
    null,
    "n",
    "0.0",
    "d.n",
  ]);
});

it("takes aliases, functions and texts for no columns", () => {
  expect(
    columnsOf('SELECT count(*) AS seats FROM boat WHERE name = "Tern"').map(([, column]) => column),
  ).toEqual(["name"]);
});

it("a common table expression hides a table", () => {
  expect(columnsOf("WITH boat AS (SELECT 1 AS one) SELECT boat.name FROM boat")).toEqual([
    [null, "name", "1.0", "boat.name"],
  ]);
});
