import { describe, expect, it } from "vitest";
import {
  renderAccuracy,
  renderFunnel,
  renderGroups,
  renderPlan,
  renderSummary,
} from "../../pipelines/render-summary.ts";
import type { StepReport } from "../../pipelines/reporter.ts";
import { accuracyRow } from "../fakes/accuracy-row.ts";

function report(id: string, status: StepReport["status"], changed: string[] = []): StepReport {
  return { id, stage: id, status, key: null, changed, outputs: {}, warnings: [] };
}

describe("renderFunnel", () => {
  it("indents parts and aligns numbers to the right", () => {
    const lines = [
      { name: "questions", count: 1034, depth: 0 },
      { name: "gold_error", count: 7, depth: 1 },
      { name: "kept", count: 1027, depth: 1 },
    ];
    expect(renderFunnel(lines)).toBe(
      ["questions     1034", "  gold error     7", "  kept        1027"].join("\n"),
    );
    expect(renderFunnel([])).toBe("");
  });
});

describe("renderAccuracy", () => {
  const files = { "ten-systems#0": "din-sql.csv", "ten-systems#1": "dail.txt" };

  it("has a line with an interval for each imported file, over all questions", () => {
    const rows = [
      accuracyRow({ system: "ten-systems#0" }),
      accuracyRow({ system: "ten-systems#0", group: "hardness:easy", mean: 0.9 }),
      accuracyRow({
        system: "ten-systems#1",
        n: 0,
        mean: null,
        low: null,
        high: null,
        unscored: 2,
        unexecutable: 1,
      }),
    ];
    expect(renderAccuracy(rows, files).split("\n")).toEqual([
      expect.stringMatching(/^answers {6}metric {10}n {2}accuracy/),
      "din-sql.csv  bird-ex       200      50.0  43.1 - 56.9",
      "dail.txt     bird-ex         0         -  - - -  (3 not judged)",
    ]);
  });

  it("has a line for each sampled model: the mean of its samples, and their range", () => {
    const rows = [0.2, 0.5, 0.8].map((mean, sampleIndex) =>
      accuracyRow({ system: `student#${sampleIndex}`, sampleIndex, mean }),
    );
    const lines = renderAccuracy(rows, {}).split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe("student, single-turn  bird-ex       200      50.0  20.0 - 80.0 over 3 samples");
  });

  it("keeps models, settings and metrics apart", () => {
    const rows = [
      accuracyRow({}),
      accuracyRow({ model: { name: "student", revision: "2" } }),
      accuracyRow({ setting: "agent" }),
      accuracyRow({ metric: "other" }),
    ];
    expect(renderAccuracy(rows, {}).split("\n")).toHaveLength(5);
  });
});

describe("renderGroups", () => {
  it("has a block a model and metric, a line a group, and tells what was not judged", () => {
    const rows = [
      accuracyRow({}),
      accuracyRow({
        group: "difficulty:simple",
        n: 20,
        mean: 0.75,
        low: 0.531,
        high: 0.888,
        unscored: 1,
        missing: 4,
      }),
      accuracyRow({ metric: "other", unexecutable: 2 }),
    ];
    expect(renderGroups(rows).split("\n")).toEqual([
      "student, bird-ex",
      "group                  n  accuracy  95% interval",
      "all                  200      50.0  43.1 - 56.9",
      "difficulty:simple     20      75.0  53.1 - 88.8  (1 unscored, 4 missing)",
      "",
      "student, other",
      "group                  n  accuracy  95% interval",
      "all                  200      50.0  43.1 - 56.9  (2 unexecutable)",
    ]);
  });
});

describe("renderSummary", () => {
  it("tells accuracy, funnel, shards, and how many steps ran", () => {
    const text = renderSummary({
      name: "quickstart",
      folder: "runs/quickstart",
      steps: [report("load", "reused"), report("score", "ran"), report("export", "pending")],
      funnel: [{ name: "questions", count: 3, depth: 0 }],
      accuracy: [accuracyRow({})],
      evaluation: [],
      forecasts: {},
      descriptionForecasts: {},
      systems: {},
      shards: ["shards/verl-rl", "shards/messages-sft"],
    });
    expect(text.split("\n").slice(3)).toEqual([
      "questions  3",
      "",
      "shards",
      "  runs/quickstart/shards/verl-rl",
      "  runs/quickstart/shards/messages-sft",
      "",
      "1 steps run, 1 reused",
    ]);
  });

  it("leaves out what there is not", () => {
    const nothing = {
      name: "a",
      folder: "runs/a",
      funnel: [],
      accuracy: [],
      evaluation: [],
      forecasts: {},
      descriptionForecasts: {},
      systems: {},
      shards: [],
    };
    expect(renderSummary({ ...nothing, steps: [report("load", "ran")] })).toBe("1 steps run, 0 reused");
  });
});

describe("renderPlan", () => {
  it("says what is done, what would run, and why again", () => {
    const steps = [
      report("load", "reused"),
      report("score", "pending", ["seed 1 -> 2", "options.levels 3 -> 4"]),
      report("order", "pending"),
    ];
    expect(renderPlan(steps).split("\n")).toEqual([
      "load   done",
      "score  would run again: seed 1 -> 2; options.levels 3 -> 4",
      "order  would run",
    ]);
  });
});
