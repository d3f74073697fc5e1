import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  type AuditArguments,
  auditChecks,
  auditJudge,
  auditOptions,
  auditTarget,
  auditWorkers,
  withAuditArguments,
} from "../../../pipelines/audit/audit-arguments.ts";

function parsed(...words: readonly string[]): AuditArguments {
  const command = withAuditArguments(new Command("list").exitOverride());
  command.parse([...words], { from: "user" });
  return command.opts<AuditArguments & Record<string, unknown>>();
}

const DATASET = ["--dataset", "bird", "--split", "dev"];

describe("auditTarget", () => {
  it("is a dataset with folders and predictions, or a run", () => {
    const given = parsed(...DATASET, "--databases", "a,b", "--predictions", "x.json", "y.json");
    expect(auditTarget(undefined, given)).toEqual({
      run: null,
      dataset: "bird",
      root: null,
      split: "dev",
      release: null,
      databaseFolders: ["a", "b"],
      predictions: ["x.json", "y.json"],
    });
    expect(auditTarget("mine", parsed())).toMatchObject({ run: "mine", dataset: null, databaseFolders: [] });
  });

  it.each([
    [undefined, [], "name either a run or --dataset"],
    ["mine", DATASET, "name either a run or --dataset"],
    [undefined, ["--dataset", "bird"], "--split is missing"],
    ["mine", ["--predictions", "x"], "--predictions goes with --dataset"],
  ])("%s %j is wrong usage", (run, words, said) => {
    expect(() => auditTarget(run, parsed(...words))).toThrow(said);
  });
});

it("has defaults, and refuses a threshold that is no share", () => {
  expect(auditOptions(parsed())).toMatchObject({ threshold: 0.5, metric: "bird-ex", cpuMs: 10_000 });
  expect(auditOptions(parsed("--threshold", "0.8", "--metric", "rex")).threshold).toBe(0.8);
  expect(() => auditOptions(parsed("--threshold", "2"))).toThrow("--threshold must be a number from 0 to 1");
});

it("names checks, workers and voters", () => {
  expect(auditChecks(parsed())).toBeNull();
  expect(auditChecks(parsed("--checks", "gold-runs, gold-empty"))).toEqual(["gold-runs", "gold-empty"]);
  expect(auditWorkers(parsed("--workers", "3"))).toBe(3);
  expect(auditJudge(parsed("--judge-voters", "3", "--config", "c.yaml"))).toEqual({
    judgeVoters: 3,
    configFile: "c.yaml",
  });
  expect(auditJudge(parsed())).toEqual({ judgeVoters: 0, configFile: null });
});
