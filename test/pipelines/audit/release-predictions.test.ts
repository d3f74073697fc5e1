import path from "node:path";
import { describe, expect, it } from "vitest";
import { readPredictions } from "../../../pipelines/audit/release-predictions.ts";
import { createPlugFinder } from "../../../pipelines/plugs.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { releaseRow } from "./release-fixtures.ts";

const plugs = createPlugFinder();
const rows = [releaseRow({ id: "10" }), releaseRow({ id: "11", position: 1 })];

async function read(name: string, text: string) {
  const folder = await temporaryFolder({ [name]: text });
  const { answers, astray } = await readPredictions(path.join(folder, name), rows, plugs);
  return { answers: rows.map((row) => answers.get(row) ?? null), astray };
}

describe("readPredictions", () => {
  it("goes by place where the file has an answer for each question", async () => {
    expect(await read("a.txt", "SELECT 1\nSELECT 2\n")).toEqual({
      answers: ["SELECT 1", "SELECT 2"],
      astray: 0,
    });
    expect(await read("a.json", '{"0": "SELECT 1", "1": "SELECT 2"}')).toEqual({
      answers: ["SELECT 1", "SELECT 2"],
      astray: 0,
    });
  });

  it("takes places for names where the release is a part of what was answered", async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `SELECT ${index}\n`).join("");
    expect(await read("a.txt", lines)).toEqual({ answers: ["SELECT 10", "SELECT 11"], astray: 10 });
  });

  it("goes by the names of questions", async () => {
    const line = JSON.stringify({ question_id: 11, sql: "SELECT 5" });
    expect(await read("a.jsonl", `${line}\n`)).toEqual({ answers: [null, "SELECT 5"], astray: 0 });
  });

  it("refuses a file whose answers belong to nothing", async () => {
    await expect(read("a.json", '{"0": "SELECT 1"}')).rejects.toMatchObject({
      code: "PREDICTIONS_UNMATCHED",
    });
  });
});
