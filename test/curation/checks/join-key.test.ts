import { expect, it } from "vitest";
import joinKey from "../../../curation/checks/join-key.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["SELECT T1.name FROM boat AS T1 JOIN owner AS T2 ON T1.owner_id = T2.owner_id", []],
  ["SELECT T1.name FROM boat AS T1 JOIN owner AS T2 ON T1.boat_id = T2.owner_id", ["no_shared_values"]],
  ["SELECT T1.name FROM boat AS T1 JOIN crossing AS T2 ON T1.seats = T2.passengers", ["no_shared_values"]],
  ["SELECT T1.name FROM boat AS T1 JOIN crossing AS T2 ON T1.seats + 1 = T2.passengers", []],
  ["SELECT T1.owner_name FROM owner AS T1 JOIN port AS T2 ON T1.city = T2.port_name", ["not_a_key"]],
  ["SELECT T1.owner_name FROM owner AS T1 JOIN crossing AS T2 ON T1.owner_id = T2.crossing_id", []],
])("%s: %j", async (gold, kinds) => {
  expect(await kindsOf(joinKey, "Which names?", gold)).toEqual(kinds);
});

it("goes by the key between the tables where values happen to be shared", async () => {
  const gold = "SELECT T1.owner_name FROM owner AS T1 JOIN boat AS T2 ON T1.owner_id = T2.seats - 3";
  expect(await kindsOf(joinKey, "Which owners?", gold)).toEqual([]);
  const other = "SELECT T1.name FROM boat AS T1 JOIN crossing AS T2 ON T1.seats = T2.crossing_id";
  expect(await kindsOf(joinKey, "Which boats?", other)).toEqual(["other_key"]);
  const filter = `${other} AND T1.boat_id = T2.boat_id`;
  expect(await kindsOf(joinKey, "Which boats?", filter)).toEqual([]);
});

it("knows which of two keys the question speaks of", async () => {
  const by = (column: string): string =>
    `SELECT T1.day FROM crossing AS T1 JOIN port AS T2 ON T1.${column} = T2.port_id`;
  const question = "On which days did a crossing end in a port of Mull?";
  expect(await kindsOf(joinKey, question, by("start_port_id"))).toEqual(["other_role"]);
  expect(await kindsOf(joinKey, question, by("end_port_id"))).toEqual([]);
});
