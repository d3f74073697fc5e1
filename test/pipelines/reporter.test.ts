import { expect, it } from "vitest";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";

it("the silent reporter says nothing and refuses nothing", () => {
  const report = {
    id: "a",
    stage: "a",
    status: "ran",
    key: null,
    changed: [],
    outputs: {},
    warnings: [],
  } as const;
  const said = [
    SILENT_REPORTER.stepStarted("a", ["seed 1 -> 2"]),
    SILENT_REPORTER.progress("a", 1, undefined),
    SILENT_REPORTER.warn("a", "careful"),
    SILENT_REPORTER.stepFinished(report),
  ];
  expect(said).toEqual([undefined, undefined, undefined, undefined]);
});
