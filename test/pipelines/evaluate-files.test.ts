import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type EvaluatedFiles, evaluateFiles } from "../../pipelines/evaluate-files.ts";
import { EvaluationDocument } from "../../pipelines/evaluation-document.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";

async function evaluated(golds: "unchecked" | "checked" | "graded"): Promise<EvaluatedFiles> {
  const folder = await shopWorkspace();
  const request = {
    files: [path.join(folder, "shops/answers.txt")],
    dataset: "spider",
    root: path.join(folder, "shops"),
    split: "train",
    release: null,
    metrics: ["bird-ex", "schema-linking"],
    format: null,
    partial: false,
    golds,
    training: path.join(folder, "shops"),
    name: "judged",
    command: "evaluate",
  } as const;
  return evaluateFiles(
    { ...request, training: null },
    {
      roots: { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") },
      workers: 1,
      reporter: SILENT_REPORTER,
      signal: new AbortController().signal,
    },
  );
}

it("writes everything that it finds of a file into one document", async () => {
  const { file, document } = await evaluated("graded");
  expect(path.basename(file)).toBe("evaluation.json");
  const written = EvaluationDocument.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(written).toEqual(document);
  const [system, ...others] = written.systems;
  expect(others).toEqual([]);
  expect(system).toMatchObject({
    name: "answers.txt",
    questions: 12,
    errors: { wrong: 8, main: { execution: 4, schema_linking: 4 } },
    executions: { error: 4, ok: 8 },
    linking: { n: 12 },
  });
  const all = system?.accuracy.find(({ group, metric }) => group === "all" && metric === "bird-ex");
  expect(all).toMatchObject({ runs: [4 / 12], n: 12, mean: 4 / 12, standardDeviation: null });
  const groups = system?.accuracy.map(({ group }) => group) ?? [];
  expect(groups).toEqual(expect.arrayContaining(["database:north", "database:south", "feature:one table"]));
  expect(written.golds).toMatchObject({ reasons: { ok: 12 }, checked: true, unmatched: {}, empty: 0 });
  expect(written.golds.undetermined).toMatchObject({ golds: 0, findings: {} });
});
