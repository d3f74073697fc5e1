import path from "node:path";
import { describe, expect, it } from "vitest";
import { applyCorrectionsStage } from "../../datasets/apply-corrections.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { runStage } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { bakeryCorrection, bakeryExample } from "./correction-fixtures.ts";

const plugs = createPlugFinder();

describe("applyCorrectionsStage", () => {
  it("gives every example, and what was applied to which", async () => {
    const fixes = bakeryCorrection();
    const folder = await temporaryFolder({ "fixes.jsonl": `${JSON.stringify(fixes)}\n` });
    const file = path.join(folder, "fixes.jsonl");
    const example = bakeryExample();
    const options = { files: ["fixes.jsonl"], isWhole: true };
    const out = await runStage(applyCorrectionsStage, { examples: [example] }, options, {
      plugs,
      runtime: { files: [file] },
    });
    expect(out.examples).toEqual([{ ...example, gold: ["SELECT count(DISTINCT name) FROM loaf"] }]);
    expect(out.applied).toEqual([
      {
        exampleId: example.id,
        uncorrectedId: example.id,
        sourceId: "0",
        databaseId: "bakery",
        field: "gold",
        kind: "distinct",
        file: "fixes.jsonl",
        line: 1,
      },
    ]);
    expect(
      await applyCorrectionsStage.sources(options, { files: [file] }, plugs, { examples: empty }),
    ).toEqual([{ name: "fixes.jsonl", path: file }]);
    await expect(
      runStage(applyCorrectionsStage, { examples: [] }, options, { plugs, runtime: { files: [] } }),
    ).rejects.toMatchObject({ code: "CORRECTIONS_FILES_MISMATCH" });
  });
});

async function* empty() {}
