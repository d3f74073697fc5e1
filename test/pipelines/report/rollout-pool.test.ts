import { expect, it } from "vitest";
import { type Candidate, RolloutPool } from "../../../pipelines/report/rollout-pool.ts";
import { HOSTILE_ROLLOUT, trajectoryOf } from "./sample-document.ts";

function candidate(systemKey: string, id: string, exampleId: string): Candidate {
  const { system: _system, ...rest } = HOSTILE_ROLLOUT;
  return { ...rest, kind: "right", systemKey, trajectory: trajectoryOf(id, exampleId) };
}

const LABELS = new Map([
  ["k1", "one"],
  ["k2", "two"],
]);

function chosen(candidates: readonly Candidate[]): string[] {
  const pool = new RolloutPool();
  for (const each of candidates) pool.offer(each);
  return pool.chosen(LABELS).map(({ system, trajectory }) => `${system} ${trajectory.id.slice(0, 2)}`);
}

it("takes the lowest ids, systems by turns, whatever the order of the rows", () => {
  const rows = ["b1", "a1", "c1", "d1", "e1"].flatMap((id, index) => [
    candidate("k1", id, `1${index}`),
    candidate("k2", `f${index}`, `2${index}`),
  ]);
  const expected = ["one a1", "two f0", "one b1", "two f1"];
  expect(chosen(rows)).toEqual(expected);
  expect(chosen(rows.toReversed())).toEqual(expected);
});

it("asks no question twice while there are others", () => {
  const rows = [candidate("k1", "a1", "11"), candidate("k2", "a2", "11"), candidate("k2", "b2", "12")];
  expect(chosen(rows)).toEqual(["one a1", "two b2", "two a2"]);
});

it("wants no more than it keeps", () => {
  const pool = new RolloutPool();
  for (const id of ["b", "c", "d", "dd"]) pool.offer(candidate("k1", id, id));
  expect(pool.wants("right", "k1", { id: "e", exampleId: "e" })).toBe(false);
  expect(pool.wants("right", "k1", { id: "a", exampleId: "a" })).toBe(true);
  expect(pool.wants("wrong", "k1", { id: "e", exampleId: "e" })).toBe(true);
});
