import { describe, expect, it } from "vitest";
import { readCsv } from "../../io/csv.ts";
import { writeFolder } from "../datasets/dataset-fixtures.ts";

async function read(content: string | Uint8Array) {
  return readCsv(`${await writeFolder({ "one.csv": content })}/one.csv`);
}

describe("readCsv", () => {
  it("reads quotes, line breaks in cells, short rows and a byte order mark", async () => {
    expect(await read('\uFEFFa,b\r\n"x ""y""\nz",1\r\n\r\nonly\r\n')).toEqual({
      encoding: "utf-8",
      rows: [["a", "b"], ['x "y"\nz', "1"], ["only"]],
    });
  });

  it("takes what is not UTF-8 for Windows-1252", async () => {
    expect(await read(new Uint8Array([0x80, 0x2c, 0x95, 0xe9, 0x0a]))).toEqual({
      encoding: "windows-1252",
      rows: [["€", "•é"]],
    });
  });

  it("refuses a quote that is never closed", async () => {
    await expect(read('a,b\n"open,1\n')).rejects.toMatchObject({ code: "CSV_MALFORMED" });
  });
});
