import path from "node:path";
import { expect, it } from "vitest";
import { readAuditedRun } from "../../../pipelines/audit/audit-run.ts";
import { SILENT_REPORTER } from "../../../pipelines/reporter.ts";
import { readRunConfig, runTrainingSet } from "../../../pipelines/run-training-set.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";

it("reads what a run has loaded, inspected and sampled; before that there is nothing to audit", async () => {
  const folder = await shopWorkspace();
  const runsFolder = path.join(folder, "runs");
  const roots = { dataRoot: null, configFolder: folder, runsFolder };
  const signal = new AbortController().signal;
  const config = await readRunConfig(path.join(folder, "run.yaml"));
  const run = (until: string) =>
    runTrainingSet(config, { roots, until, dryRun: false, workers: 1, reporter: SILENT_REPORTER, signal });
  await run("load");
  await expect(readAuditedRun(runsFolder, "shops")).rejects.toMatchObject({ code: "AUDIT_NO_EXAMPLES" });
  await run("import");
  const data = await readAuditedRun(runsFolder, "shops");
  expect(data.examples).toHaveLength(12);
  expect([...data.databases.keys()]).toEqual(["north", "south"]);
  expect(data.answers.get(data.examples[1]?.id ?? "")).toEqual(["SELECT id FROM shop"]);
  await expect(readAuditedRun(runsFolder, "gone")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
});
