import { expect, it } from "vitest";
import joinFanout from "../../../curation/checks/join-fanout.ts";
import { kindsOf } from "../check-subject.ts";

const JOIN = "FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id";

it.each([
  [`SELECT SUM(T1.seats) ${JOIN}`, ["repeated_sum"]],
  [`SELECT SUM(T2.passengers) ${JOIN}`, []],
  [`SELECT COUNT(T1.boat_id) ${JOIN} WHERE T2.passengers > 1`, ["repeated_count"]],
  [`SELECT COUNT(DISTINCT T1.boat_id) ${JOIN}`, []],
  [`SELECT T1.name, COUNT(T1.boat_id) ${JOIN} GROUP BY T1.boat_id`, []],
  [`SELECT COUNT(T1.boat_id) ${JOIN} WHERE T2.passengers > 1 GROUP BY T1.kind`, ["repeated_count"]],
  [`SELECT COUNT(CASE WHEN T2.passengers > 30 THEN T1.boat_id END) ${JOIN}`, ["repeated_count"]],
  [`SELECT SUM(CASE WHEN T1.kind = 'Ferry' THEN 1 ELSE 0 END) ${JOIN} WHERE T2.passengers > 1`, []],
  [`SELECT T1.name ${JOIN}`, ["unused_source"]],
  [`SELECT DISTINCT T1.name ${JOIN}`, []],
])("%s: %j", async (gold, kinds) => {
  expect(await kindsOf(joinFanout, "How many?", gold)).toEqual(kinds);
});

it("knows what a question counts", async () => {
  const gold = `SELECT COUNT(*) ${JOIN}`;
  expect(await kindsOf(joinFanout, "How many boats have crossed?", gold)).toEqual(["other_rows_counted"]);
  expect(await kindsOf(joinFanout, "How many crossings were there?", gold)).toEqual([]);
  const kinds = await kindsOf(joinFanout, "How many boats are there by kind?", `${gold} GROUP BY T1.kind`);
  expect(kinds).toEqual([]);
});
