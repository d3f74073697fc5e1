import { describe, expect, it } from "vitest";
import { scored, scoredWith, unscored } from "../../core/verdict.ts";
import { AbilityMeans, ErrorCounts, LinkingMeans, MetricPairs } from "../../curation/answer-figures.ts";
import { FERRY_SCHEMA } from "../sql/ferry-schema.ts";
import { sample } from "./sample-rows.ts";

describe("LinkingMeans", () => {
  it("averages what the metric says in its details", () => {
    const means = new LinkingMeans();
    expect(means.figures()).toBeNull();
    const said = (f1: number, precision: number, recall: number, complete: number) =>
      sample("a", 0, 1, { verdicts: { "schema-linking": scoredWith(f1, { precision, recall, complete }) } });
    means.addVerdict(said(1, 1, 1, 1));
    means.addVerdict(said(0.5, 0.25, 0.75, 0));
    means.addVerdict(sample("a", 0, 1));
    expect(means.figures()).toEqual({ n: 2, precision: 0.625, recall: 0.875, f1: 0.75, completeRecall: 0.5 });
  });

  it("averages a linker's own answers, no answer linking nothing", () => {
    const means = new LinkingMeans();
    const gold = "SELECT name FROM ferry";
    means.addLinks(gold, FERRY_SCHEMA, [{ table: "Ferry", columns: ["Name"] }]);
    means.addLinks(gold, FERRY_SCHEMA, undefined);
    means.addLinks("SELECT absent FROM ferry", FERRY_SCHEMA, []);
    // Nothing linked: precision 1 of nothing, recall 0.
    expect(means.figures()).toEqual({ n: 2, precision: 1, recall: 0.5, f1: 0.5, completeRecall: 0.5 });
  });
});

it("counts errors by class, sign and hardness", () => {
  const counts = new ErrorCounts();
  counts.add({ main: "join_path", classes: ["join_path", "output_shape"], signs: ["joins_changed"] }, "hard");
  counts.add({ main: "no_answer", classes: ["no_answer"], signs: [] }, "easy");
  counts.add({ main: "no_answer", classes: ["no_answer"], signs: [] }, null);
  const figures = counts.figures("rex", ["easy", "hard"]);
  expect(figures).toEqual({
    metric: "rex",
    wrong: 3,
    main: { no_answer: 2, join_path: 1 },
    all: { no_answer: 2, join_path: 1, output_shape: 1 },
    signs: { joins_changed: 1 },
    byHardness: { easy: { no_answer: 1 }, hard: { join_path: 1 }, unknown: { no_answer: 1 } },
  });
  expect(Object.keys(figures.byHardness)).toEqual(["easy", "hard", "unknown"]);
});

it("counts how two metrics agree where both score", () => {
  const pairs = new MetricPairs(["a", "b", "c"]);
  const add = (a: number, b: number) =>
    pairs.add(sample("q", 0, 1, { verdicts: { a: scored(a), b: scored(b), c: unscored("crashed", "") } }));
  for (const [a, b] of [
    [1, 1],
    [1, 0],
    [0.5, 1],
    [0, 0],
    [0, 0.9],
  ] as const)
    add(a, b);
  expect(pairs.figures()[0]).toEqual({
    first: "a",
    second: "b",
    both: 1,
    onlyFirst: 1,
    onlySecond: 1,
    neither: 2,
  });
  expect(pairs.figures().map(({ both, neither }) => both + neither)).toEqual([3, 0, 0]);
});

it("averages abilities by group over the rollouts that had the occasion", () => {
  const means = new AbilityMeans();
  means.add(["all"], null);
  expect(means.figures()).toEqual([]);
  const none = { callsMemory: null, verifiesExecution: null, verifiesMemory: null, generates: null };
  means.add(["all", "turn:1"], { ...none, callsExecute: 1, generates: 0.5 });
  means.add(["all"], { ...none, callsExecute: 0 });
  expect(means.figures()).toEqual([
    { group: "all", ability: "callsExecute", n: 2, mean: 0.5 },
    { group: "all", ability: "callsMemory", n: 0, mean: null },
    { group: "all", ability: "verifiesExecution", n: 0, mean: null },
    { group: "all", ability: "verifiesMemory", n: 0, mean: null },
    { group: "all", ability: "generates", n: 1, mean: 0.5 },
    { group: "turn:1", ability: "callsExecute", n: 1, mean: 1 },
    { group: "turn:1", ability: "callsMemory", n: 0, mean: null },
    { group: "turn:1", ability: "verifiesExecution", n: 0, mean: null },
    { group: "turn:1", ability: "verifiesMemory", n: 0, mean: null },
    { group: "turn:1", ability: "generates", n: 1, mean: 0.5 },
  ]);
});
