import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readSheetCsv, sheetCsv } from "../../../pipelines/audit/sheet-csv.ts";
import { readCsv } from "../../../io/csv.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { HOSTILE, sheetRow } from "./sheet-fixture.ts";

async function fileOf(text: string): Promise<string> {
  const file = path.join(await temporaryFolder(), "sheet.csv");
  await writeFile(file, text);
  return file;
}

describe("a sheet as CSV", () => {
  const rows = HOSTILE.map((text, index) => sheetRow({ source_id: String(index), gold: text, reason: text }));

  it("comes back with every cell as it was", async () => {
    expect(await readSheetCsv(await fileOf(sheetCsv(rows)))).toEqual(rows);
  });

  it("has no cell that a spreadsheet takes for a formula", async () => {
    const { rows: cells } = await readCsv(await fileOf(sheetCsv(rows)));
    expect(cells).toHaveLength(HOSTILE.length + 1);
    expect(cells.flat().filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  });

  it("comes back with its columns in another order, others between them, and a text of the reviewer's own", async () => {
    const text = "note,decision,source_id,split,dataset,corrected_gold\nx,edit,0,dev,bakers,'SELECT'\n";
    expect(await readSheetCsv(await fileOf(text))).toEqual([
      sheetRow({
        decision: "edit",
        source_id: "0",
        split: "dev",
        dataset: "bakers",
        corrected_gold: "'SELECT'",
      }),
    ]);
  });

  it("is refused without the columns that name a question", async () => {
    await expect(readSheetCsv(await fileOf("a,b\n1,2\n"))).rejects.toMatchObject({
      code: "SHEET_MALFORMED",
      message: expect.stringContaining("no column dataset, split, source_id, decision") as string,
    });
  });
});
