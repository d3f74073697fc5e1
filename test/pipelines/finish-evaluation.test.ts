import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ArtifactStore } from "../../io/artifact-store.ts";
import { EvaluationDocument } from "../../pipelines/evaluation-document.ts";
import { finishEvaluation } from "../../pipelines/finish-evaluation.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("writes a document also of a run that has not come far", async () => {
  const runFolder = await temporaryFolder();
  const { file, document, official } = await finishEvaluation({
    pipeline: [],
    result: { steps: [], artifacts: new Map() },
    store: new ArtifactStore(path.join(runFolder, "artifacts")),
    steps: [{ accuracy: "accuracy", systems: "systems" }],
    name: "small",
    datasets: [],
    metrics: ["bird-ex"],
    goldCheck: "gold-check",
    goldGrades: "gold-grades",
    hardness: false,
    training: "another-run",
    runFolder,
    runsFolder: runFolder,
    plugs: createPlugFinder(),
  });
  expect(EvaluationDocument.parse(JSON.parse(readFileSync(file, "utf8")))).toEqual(document);
  expect(document).toMatchObject({ systems: [], overlap: null, golds: { reasons: {}, checked: false } });
  expect(official.get("accuracy")).toEqual([]);
});
