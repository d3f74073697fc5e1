import { afterEach, expect, it, vi } from "vitest";
import { listOption, pathRoots, reporterFor, wholeNumber } from "../../../pipelines/cli/command.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it("wholeNumber takes whole numbers from the minimum on", () => {
  expect(wholeNumber("--workers", "3", 1)).toBe(3);
  for (const value of ["0", "-1", "1.5", "many", "9007199254740993"]) {
    expect(() => wholeNumber("--workers", value, 1), value).toThrow(
      expect.objectContaining({ code: "USAGE", message: expect.stringContaining("--workers") as unknown }),
    );
  }
});

it("listOption splits at commas and refuses an empty list", () => {
  expect(listOption("--to", " verl-rl, messages-sft ,")).toEqual(["verl-rl", "messages-sft"]);
  expect(() => listOption("--to", " ,")).toThrow(expect.objectContaining({ code: "USAGE" }));
});

it("pathRoots prefers --data to GRADUS_DATA, and runs are in ./runs unless told", () => {
  vi.stubEnv("GRADUS_DATA", "/from/environment");
  expect(pathRoots({ data: "/from/option" }, "/configs")).toEqual({
    dataRoot: "/from/option",
    configFolder: "/configs",
    runsFolder: "runs",
  });
  expect(pathRoots({ runs: "/elsewhere" }, "/configs")).toMatchObject({
    dataRoot: "/from/environment",
    runsFolder: "/elsewhere",
  });
  vi.stubEnv("GRADUS_DATA", undefined);
  expect(pathRoots({}, "/configs").dataRoot).toBeNull();
});

it.each([{ quiet: true }, { json: true }])("reporterFor keeps only the warnings for %o", (options) => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const reporter = reporterFor(options);
  reporter.stepStarted("sample", []);
  reporter.progress("sample", 5, 10);
  expect(write).not.toHaveBeenCalled();
  reporter.warn("sample", "the server answers slowly");
  expect(write.mock.calls.flat().join("")).toContain("the server answers slowly");
});
