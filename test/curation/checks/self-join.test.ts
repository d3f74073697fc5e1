import { expect, it } from "vitest";
import selfJoin from "../../../curation/checks/self-join.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["SELECT T1.name FROM boat AS T1 JOIN crossing AS T2 ON T2.boat_id = T2.boat_id", ["same_column"]],
  ["SELECT T1.name FROM boat AS T1 JOIN boat AS T2 ON T1.boat_id = T2.boat_id", ["own_key"]],
  ["SELECT T1.name FROM boat AS T1 JOIN boat AS T2 ON T1.built = T2.built AND T1.boat_id < T2.boat_id", []],
  ["SELECT name FROM boat WHERE seats = seats + 0", []],
])("%s: %j", async (gold, kinds) => {
  expect(await kindsOf(selfJoin, "Which boats?", gold)).toEqual(kinds);
});
