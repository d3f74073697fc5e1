import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SourceFile } from "../../core/loader.ts";
import { chooseRelease } from "../../datasets/bird-release.ts";
import { sourceFile } from "../../datasets/source-files.ts";
import { writeFolder } from "./dataset-fixtures.ts";

const ROWS = [
  { question_id: 1, db_id: "d", question: "q", evidence: "", SQL: "SELECT 1", difficulty: "simple" },
];

async function candidates(files: Record<string, unknown>): Promise<[SourceFile, ...SourceFile[]]> {
  const root = await writeFolder(files);
  const [first = "a.json", ...others] = Object.keys(files);
  const candidate = (name: string) => sourceFile(root, name, "questions", true);
  return [candidate(first), ...others.map(candidate)];
}

describe("chooseRelease", () => {
  it("never gives an unknown content a published name", async () => {
    const files = await candidates({ "dev.json": ROWS });
    const digest = createHash("sha256").update(JSON.stringify(ROWS)).digest("hex");
    expect((await chooseRelease("dev", files, null)).release).toBe(`unrecognised-${digest.slice(0, 12)}`);
    for (const named of ["2024-06-27", "2023-original", "2025-11-06"]) {
      await expect(chooseRelease("dev", files, named)).rejects.toMatchObject({
        code: "DATASET_RELEASE_MISMATCH",
      });
    }
    await expect(chooseRelease("train", files, "original")).rejects.toMatchObject({
      message: expect.stringContaining("(1 rows)") as string,
    });
  });

  it("takes a name of one's own for an unknown content", async () => {
    const files = await candidates({ "dev.json": ROWS });
    expect((await chooseRelease("dev", files, "mended")).release).toBe("mended");
  });

  it("takes the number of rows as enough for a release whose content it does not know", async () => {
    const rows = Array.from({ length: 9428 }, (_, index) => ({ db_id: "d", question: String(index) }));
    const files = await candidates({ "train.json": rows });
    expect((await chooseRelease("train", files, "original")).release).toBe("original");
  });

  it("expects the first file where there is none", async () => {
    const files = await candidates({});
    expect((await chooseRelease("dev", files, null)).file.name).toBe("a.json");
  });
});
