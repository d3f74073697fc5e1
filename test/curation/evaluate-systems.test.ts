import { describe, expect, it } from "vitest";
import { defineLabel, defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { evaluateLinkedSystemsStage, evaluateSystemsStage } from "../../curation/evaluate-systems.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { FERRY_SCHEMA } from "../sql/ferry-schema.ts";
import { database, example, goldRow, sample, trajectory } from "./sample-rows.ts";

const label = defineLabel({
  id: "spider-hardness",
  version: 1,
  levels: ["easy", "medium"],
  label: () => ({ status: "scored", label: "easy" }),
});
const metric = defineMetric({
  id: "bird-ex",
  version: 1,
  needs: { rows: true },
  deviations: [],
  judge: () => scored(1),
});
const plugs = fakePlugs([label, metric]);
const OPTIONS = { metrics: ["bird-ex"] };
const beta = { model: { name: "beta", revision: "" } };

const inputs = {
  examples: [
    example("a", { gold: ["SELECT name FROM ferry"], dialogue: { id: "1", turn: 1, turns: 2 } }),
    example("b", { gold: ["SELECT count(*) FROM ferry"] }),
  ],
  databases: [database("ferries", { schema: FERRY_SCHEMA })],
  golds: [goldRow("a"), goldRow("b", { reason: "gold_timeout" })],
  samples: [sample("a", 1, 0), sample("a", 0, 1), sample("a", 2, 1, beta)],
  trajectories: [
    trajectory("a", 1, "SELECT id FROM ferry"),
    trajectory("a", 0, "SELECT name FROM ferry"),
    trajectory("a", 2, "SELECT name FROM ferry", beta),
  ],
};

describe("evaluateSystemsStage", () => {
  it("has a row for each question and system, and the systems by name at the end", async () => {
    const { systems, questions } = await runStage(evaluateSystemsStage, inputs, OPTIONS, { plugs });
    expect(
      questions.map(({ system, sourceId, turn, hardness, scores }) => [
        system,
        sourceId,
        turn,
        hardness,
        scores,
      ]),
    ).toEqual([
      ["student", "a", 2, "easy", { "bird-ex": [1, 0] }],
      ["beta", "a", 2, "easy", { "bird-ex": [1] }],
    ]);
    expect(
      systems.map(({ name, runs, questions: asked, unexecutable, missing }) => [
        name,
        runs,
        asked,
        unexecutable,
        missing,
      ]),
    ).toEqual([
      ["beta", 1, 2, { gold_timeout: 1 }, 0],
      ["student", 2, 2, { gold_timeout: 1 }, 0],
    ]);
    expect(systems[1]?.effort.map(({ group }) => group)).toEqual(["all", "hardness:easy", "turn:2"]);
  });

  it("names the only system as it is told", async () => {
    const { systems } = await runStage(
      evaluateSystemsStage,
      inputs,
      { ...OPTIONS, name: "greedy" },
      { plugs },
    );
    expect(systems.map(({ name }) => name)).toEqual(["greedy", "greedy  single-turn"]);
  });
});

describe("evaluateLinkedSystemsStage", () => {
  it("gives a linker's episode to the sample of its model and index", async () => {
    const linkings = [trajectory("a", 0, null, { links: [{ table: "ferry", columns: ["name"] }] })];
    const { systems } = await runStage(evaluateLinkedSystemsStage, { ...inputs, linkings }, OPTIONS, {
      plugs,
    });
    expect(systems.map(({ linker }) => linker)).toEqual([
      null,
      { n: 1, precision: 1, recall: 1, f1: 1, completeRecall: 1 },
    ]);
  });
});
