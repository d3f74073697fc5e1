import { expect, it } from "vitest";
import {
  fedTo,
  looseRows,
  openReportSource,
  readJsonFile,
  recordOf,
} from "../../../pipelines/report/report-source.ts";
import { writeLargeRun } from "../../e2e/large-run.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import path from "node:path";

it("finds the rows that a step was fed", async () => {
  const runs = await temporaryFolder();
  await writeLargeRun(path.join(runs, "r"), { questions: 2, answers: 1 });
  const source = await openReportSource(runs, "r");
  expect([...source.artifacts.keys()]).toEqual(["load", "score", "sample", "rates", "rewards"]);
  const fed = fedTo(source, "score", "trajectories");
  expect(fed?.artifact.manifest.stage).toBe("sample");
  expect(fedTo(source, "score", "nothing")).toBeUndefined();
  const ids: unknown[] = [];
  if (fed !== undefined)
    for await (const row of looseRows(fed.artifact, fed.port)) ids.push(row["stopReason"]);
  expect(ids).toEqual(["answered", "answered"]);
});

it("refuses a run that is not there", async () => {
  await expect(openReportSource(await temporaryFolder(), "r")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
});

it("reads what is JSON", async () => {
  const folder = await temporaryFolder({ "a.json": "[1]", "b.json": "{" });
  const read = ["a.json", "b.json", "c.json"].map((name) => readJsonFile(path.join(folder, name)));
  expect(await Promise.all(read)).toEqual([[1], undefined, undefined]);
  expect([recordOf({ a: 1 }), recordOf([1]), recordOf(null)]).toEqual([{ a: 1 }, undefined, undefined]);
});
