import { describe, expect, it } from "vitest";
import type { StepReport } from "../../../pipelines/reporter.ts";
import {
  describeProgress,
  describeSeconds,
  describeStep,
  lineReporter,
} from "../../../pipelines/reporters/lines.ts";

function report(status: StepReport["status"], rows: Readonly<Record<string, number>>): StepReport {
  const outputs = Object.fromEntries(
    Object.entries(rows).map(([port, count]) => [port, { rows: count, digest: "0".repeat(64), groups: {} }]),
  );
  return { id: "load", stage: "load", status, key: null, changed: [], outputs, warnings: [] };
}

describe("lineReporter", () => {
  it("tells a step from its start to its end, and speaks of progress every five seconds", () => {
    const lines: string[] = [];
    let time = 1000;
    const reporter = lineReporter(
      (line) => lines.push(line),
      () => time,
    );
    reporter.stepStarted("load", []);
    for (const [at, done] of [
      [1500, 10],
      [5999, 100],
      [6000, 120],
      [7000, 140],
      [11_000, 400],
    ] as const) {
      time = at;
      reporter.progress("load", done, 900);
    }
    reporter.warn("load", "a column is not there");
    reporter.stepFinished(report("ran", { examples: 900, rejects: 0 }));
    reporter.stepStarted("score", ["seed 1 -> 2", "options.levels 3 -> 4"]);
    expect(lines).toEqual([
      "load: started",
      "load: 120 of 900, 24 a second, 33 s left",
      "load: 400 of 900, 40 a second, 13 s left",
      "load: warning: a column is not there",
      "load: done, 900 examples",
      "score: started again (seed 1 -> 2; options.levels 3 -> 4)",
    ]);
  });
});

describe("describeProgress", () => {
  it.each([
    [120, 900, 3000, "120 of 900, 40 a second, 20 s left"],
    [5, 20, 10_000, "5 of 20, 0.5 a second, 30 s left"],
    [120, undefined, 3000, "120, 40 a second"],
    [0, 900, 3000, "0 of 900"],
    [3, 900, 0, "3 of 900"],
  ])("tells %s of %s after %i ms", (done, total, elapsed, text) => {
    expect(describeProgress(done, total, elapsed)).toBe(text);
  });
});

describe("describeSeconds", () => {
  it.each([
    [0.2, "1 s"],
    [89, "89 s"],
    [120, "2 min"],
    [5340, "89 min"],
    [5400, "1 h 30 min"],
    [7500, "2 h 5 min"],
  ])("tells %d seconds as %s", (seconds, text) => {
    expect(describeSeconds(seconds)).toBe(text);
  });
});

describe("describeStep", () => {
  it("counts each port, and rejects only when there are some", () => {
    expect(describeStep(report("ran", { examples: 0, rejects: 0 }))).toBe("done, 0 examples");
    expect(describeStep(report("reused", { examples: 120, rejects: 3 }))).toBe(
      "done before, 120 examples, 3 rejects",
    );
  });
});
