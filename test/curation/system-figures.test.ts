import { expect, it } from "vitest";
import { scored, unscored } from "../../core/verdict.ts";
import { type EvaluatedExample, SystemFigures } from "../../curation/system-figures.ts";
import { executed } from "../fakes/judge.ts";
import { FERRY_SCHEMA } from "../sql/ferry-schema.ts";
import { database, example, goldRow, sample, trajectory } from "./sample-rows.ts";

const OPTIONS = {
  metrics: ["bird-ex", "rex"],
  errorMetric: "bird-ex",
  attempts: [1, 2],
  levels: ["easy"],
  rowMetrics: ["bird-ex", "rex"],
};

function question(name: string, reason = "ok"): EvaluatedExample {
  return {
    example: example(name, { gold: ["SELECT name FROM ferry"] }),
    gold: goldRow(name, { reason }),
    database: database("ferries", { schema: FERRY_SCHEMA }),
    hardness: "easy",
    features: ["one table"],
    groups: ["all"],
  };
}

function answered(name: string, index: number, ex: number, rex: number, sql: string | null) {
  const verdicts = { "bird-ex": scored(ex), rex: scored(rex) };
  const execution = sql === null ? null : executed("ok");
  return {
    sample: sample(name, index, ex, { verdicts, execution }),
    trajectory: trajectory(name, index, sql),
    linking: undefined,
  };
}

it("adds up questions and gives each its row", () => {
  const first = sample("a", 0, 1);
  const figures = new SystemFigures("student", first, OPTIONS);
  const right = "SELECT name FROM ferry";
  const row = figures.add(question("a"), [
    answered("a", 0, 1, 0, right),
    answered("a", 1, 0, 0, "SELECT id FROM ferry"),
    answered("a", 2, 0, 0, null),
  ]);
  expect(row).toMatchObject({
    system: "student",
    scores: { "bird-ex": [1, 0, 0], rex: [0, 0, 0] },
    errors: ["schema_linking", "output_shape"],
    majority: 0,
    consensus: 0,
    dependsOnMetric: true,
    features: ["one table"],
  });
  const none = unscored("gold_error", "");
  const open = { ...answered("b", 0, 0, 0, right) };
  figures.add(question("b", "gold_error"), [
    { ...open, sample: { ...open.sample, execution: null, verdicts: { "bird-ex": none, rex: none } } },
  ]);
  const system = figures.finish(5, { gold_error: 1 });
  expect(system).toMatchObject({
    name: "student",
    questions: 5,
    unexecutable: { gold_error: 2 },
    // Of five questions two were answered, and one of the others cannot be judged.
    missing: 2,
    runs: 3,
    samples: 4,
    errors: { wrong: 2, main: { schema_linking: 1, no_answer: 1 } },
    executions: { ok: 2, no_answer: 1, not_run: 1 },
    metricPairs: [{ first: "bird-ex", second: "rex", both: 0, onlyFirst: 1, onlySecond: 0, neither: 2 }],
    abilities: [],
  });
  expect(system.passAtK[0]).toMatchObject({
    metric: "bird-ex",
    k: 1,
    questions: 1,
    passAtK: expect.closeTo(1 / 3) as number,
  });
  expect(system.effort).toMatchObject([{ group: "all", samples: 4, turns: 1 }]);
});
