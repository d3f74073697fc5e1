import path from "node:path";
import { expect, it } from "vitest";
import type { Correction } from "../../../core/correction.ts";
import { correctedRelease, isOverlay } from "../../../pipelines/audit/corrected-release.ts";
import { bakeryCorrection } from "../../datasets/correction-fixtures.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { releaseRow } from "./release-fixtures.ts";

async function apply(...fixes: Partial<Correction>[]) {
  const lines = fixes.map(
    (fix) => `${JSON.stringify(bakeryCorrection({ before: "SELECT 1", after: "SELECT 2", ...fix }))}\n`,
  );
  const folder = await temporaryFolder({ "fixes.jsonl": lines.join("") });
  const rows = [releaseRow(), releaseRow({ id: null, position: 1 })];
  return correctedRelease({ name: "old", rows, databaseFolders: [] }, path.join(folder, "fixes.jsonl"));
}

it("an overlay is known by its first line", async () => {
  const folder = await temporaryFolder({
    "fixes.jsonl": `\n${JSON.stringify(bakeryCorrection())}\n`,
    "rows.jsonl": '{"question":"q"}\n',
    "empty.jsonl": "",
  });
  expect(await isOverlay(path.join(folder, "fixes.jsonl"))).toBe(true);
  for (const name of ["rows.jsonl", "empty.jsonl", "none.jsonl"])
    expect(await isOverlay(path.join(folder, name))).toBe(false);
});

it("a release is corrected by id, or by place where it has none", async () => {
  const { name, rows } = await apply(
    {},
    { field: "evidence", before: null, after: "e" },
    { sourceId: "1", before: null },
  );
  expect(name).toBe("fixes.jsonl");
  expect(rows).toMatchObject([
    { gold: ["SELECT 2"], evidence: "e" },
    { gold: ["SELECT 1", "SELECT 2"], evidence: "" },
  ]);
});

it("what does not fit is refused", async () => {
  await expect(apply({ before: "SELECT 3" })).rejects.toMatchObject({ code: "CORRECTION_STALE" });
  await expect(apply({ sourceId: "7" })).rejects.toMatchObject({ code: "CORRECTION_EXAMPLE_UNKNOWN" });
  await expect(apply({}, { split: "train" })).rejects.toMatchObject({ code: "OVERLAY_MIXED" });
});
