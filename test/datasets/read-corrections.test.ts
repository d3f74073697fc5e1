import path from "node:path";
import { describe, expect, it } from "vitest";
import { readCorrections } from "../../datasets/read-corrections.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { bakeryCorrection } from "./correction-fixtures.ts";

async function read(...lines: unknown[]) {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const folder = await temporaryFolder({ "fixes.jsonl": text });
  return readCorrections(["fixes.jsonl"], [path.join(folder, "fixes.jsonl")]);
}

describe("readCorrections", () => {
  it("gives each correction with its file and line, blank lines passed over", async () => {
    const [first, second] = [bakeryCorrection(), bakeryCorrection({ sourceId: "1" })];
    expect(await read(first, "", second)).toEqual([
      { correction: first, file: "fixes.jsonl", line: 1 },
      { correction: second, file: "fixes.jsonl", line: 3 },
    ]);
  });

  it("refuses what is no correction, naming the line and the field", async () => {
    const refused = (line: unknown, message: string) =>
      expect(read(bakeryCorrection(), line)).rejects.toMatchObject({
        code: "CORRECTION_MALFORMED",
        message: expect.stringContaining(message) as string,
        site: { file: "fixes.jsonl", line: 2 },
      });
    await refused({ ...bakeryCorrection(), author: "" }, "author");
    await refused({ ...bakeryCorrection(), note: 1 }, "note");
    await refused(bakeryCorrection({ after: "SELECT count(*) FROM loaf" }), "before and after are the same");
    await refused(bakeryCorrection({ field: "question", before: "q", after: null }), "a question is text");
    await expect(read(bakeryCorrection(), "{")).rejects.toMatchObject({ code: "JSONL_MALFORMED" });
  });
});
