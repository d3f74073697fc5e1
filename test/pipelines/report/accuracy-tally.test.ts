import { expect, it } from "vitest";
import type { Example } from "../../../core/example.ts";
import type { GoldRow, ScoredSample } from "../../../core/rows.ts";
import { AccuracyTally, partsOfGroup } from "../../../pipelines/report/accuracy-tally.ts";
import { systemLabels } from "../../../pipelines/report/system-labels.ts";

const EXAMPLE: Example = {
  id: "e".repeat(32),
  dataset: { name: "spider", release: "1.0", split: "dev" },
  sourceId: "0",
  databaseId: "shop",
  question: "?",
  evidence: null,
  history: [],
  dialogue: { id: "0", turn: 5, turns: 6 },
  gold: ["SELECT 1"],
  difficulty: "simple",
  paraphraseOf: null,
  referenceReasoning: null,
};

const GOLD: GoldRow = {
  exampleId: EXAMPLE.id,
  databaseId: "shop",
  executions: null,
  reason: "ok",
  message: "",
  labels: { "spider-hardness": { status: "scored", label: "easy" } },
};

function sample(score: number | null, metric = "bird-ex"): ScoredSample {
  return {
    trajectoryId: "t",
    exampleId: EXAMPLE.id,
    sampleIndex: 0,
    round: 0,
    model: { name: "m", revision: "1" },
    setting: "s",
    simulated: false,
    execution: null,
    verdicts: {
      [metric]:
        score === null ? { status: "unscored", reason: "crashed", message: "" } : { status: "scored", score },
    },
  };
}

function figures(tally: AccuracyTally) {
  return tally.figures(systemLabels(tally.systems));
}

it("averages over questions, not over answers", () => {
  const tally = new AccuracyTally();
  tally.add(EXAMPLE, GOLD, [sample(1), sample(1), sample(1), sample(0)]);
  tally.add(EXAMPLE, GOLD, [sample(0), sample(null)]);
  const [all] = figures(tally);
  expect(all).toMatchObject({
    system: "m",
    group: "all",
    questions: 2,
    answers: 5,
    mean: 0.375,
    unscored: 1,
  });
});

it("puts a question in each of its groups, and keeps apart what cannot be judged", () => {
  const tally = new AccuracyTally();
  tally.add(EXAMPLE, { ...GOLD, reason: "gold_error", labels: {} }, [sample(null)]);
  tally.add(EXAMPLE, GOLD, [sample(1)]);
  const rows = figures(tally);
  expect(rows.map(({ group }) => group)).toEqual([
    "all",
    "dataset:spider 1.0 dev",
    "hardness:easy",
    "difficulty:simple",
    "turn:>4",
  ]);
  expect(rows[0]).toMatchObject({ questions: 1, unexecutable: 1, unscored: 0 });
});

it("gives Wilson's interval for one answer a question", () => {
  const tally = new AccuracyTally();
  for (let index = 0; index < 10; index += 1) tally.add(EXAMPLE, GOLD, [sample(index < 7 ? 1 : 0)]);
  const [all] = figures(tally);
  expect(all?.low).toBeCloseTo(0.3968, 4);
  expect(all?.high).toBeCloseTo(0.8922, 4);
});

it("does not take several answers to a question for as many questions", () => {
  const same = new AccuracyTally();
  const spread = new AccuracyTally();
  for (let index = 0; index < 10; index += 1) {
    const score = index < 7 ? 1 : 0;
    same.add(EXAMPLE, GOLD, [sample(score), sample(score), sample(score), sample(score)]);
    spread.add(EXAMPLE, GOLD, [sample(1), sample(1), sample(index % 2), sample(0)]);
  }
  const [whole] = figures(same);
  expect(whole?.low).toBeCloseTo(0.3968, 4);
  expect(whole?.high).toBeCloseTo(0.8922, 4);
  const [mixed] = figures(spread);
  expect((mixed?.high ?? 1) - (mixed?.low ?? 0)).toBeLessThan(0.31);
});

it("has no interval of Wilson for scores beyond 1", () => {
  const tally = new AccuracyTally();
  tally.add(EXAMPLE, GOLD, [sample(2), sample(4)]);
  tally.add(EXAMPLE, GOLD, [sample(5), sample(5)]);
  const [all] = figures(tally);
  expect(all).toMatchObject({ mean: 4 });
  expect(all?.low).toBeCloseTo(4 - 1.959964 * Math.SQRT1_2, 5);
});

it("parts a group's name", () => {
  expect(partsOfGroup("dataset:a:b 1")).toEqual({ kind: "dataset", name: "a:b 1" });
  expect(partsOfGroup("all")).toEqual({ kind: "all", name: "all" });
});
