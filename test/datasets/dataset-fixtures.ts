import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { LoadedRow } from "../../core/loader.ts";

const made: string[] = [];

afterAll(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Writes files (text, bytes, or a value as JSON) into a temporary folder that lives as long as the test file. */
export async function writeFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "gradus-dataset-"));
  made.push(root);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    const raw = typeof content === "string" || content instanceof Uint8Array;
    await writeFile(file, raw ? content : JSON.stringify(content));
  }
  return root;
}

/** All rows of a load. */
export async function collect(rows: AsyncIterable<LoadedRow>): Promise<LoadedRow[]> {
  const all: LoadedRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** A tables entry: a bakery with two tables. */
export const BAKERY_TABLES = {
  db_id: "bakery",
  table_names_original: ["Loaf", "Sale"],
  table_names: ["loaf", "sale"],
  column_names_original: [
    [-1, "*"],
    [0, "Loaf_ID"],
    [0, "Name"],
    [1, "Loaf_ID"],
    [1, "Day"],
    [1, "Pieces"],
  ],
  column_names: [
    [-1, "*"],
    [0, "loaf id"],
    [0, "Name"],
    [1, "loaf id"],
    [1, "day of sale"],
    [1, "Pieces"],
  ],
  column_types: ["text", "number", "text", "number", "time", "number"],
  primary_keys: [1, [3, 4]],
  foreign_keys: [[3, 1]],
};

/** A dataset of each loader in its official layout, told in our own words. */
export const FIXTURES: Readonly<
  Record<string, { readonly split: string; readonly files: Record<string, unknown> }>
> = {
  spider: {
    split: "dev",
    files: {
      "tables.json": [BAKERY_TABLES],
      "dev.json": [
        {
          db_id: "bakery",
          question: "How many loaves?",
          query: "SELECT count(*) FROM Loaf",
          query_toks: ["SELECT"],
        },
        { db_id: "bakery", question: "Name them.", query: "SELECT Name FROM Loaf", sql: { from: {} } },
        { db_id: "bakery", question: "Name them.", query: "SELECT DISTINCT Name FROM Loaf" },
        { db_id: "bakery", question: 7, query: "SELECT 1" },
      ],
    },
  },
  "spider-dk": {
    split: "dev",
    files: {
      "tables.json": [BAKERY_TABLES],
      "Spider-DK.json": [
        { type: 3, db_id: "bakery", question: "Which loaf is rye?", query: "SELECT Name FROM Loaf" },
      ],
    },
  },
  "spider-realistic": {
    split: "dev",
    files: {
      "tables.json": [BAKERY_TABLES],
      "spider-realistic.json": [
        { db_id: "bakery", question: "What is sold?", query: "SELECT Name FROM Loaf" },
      ],
    },
  },
  "spider-syn": {
    split: "dev",
    files: {
      "tables.json": [BAKERY_TABLES],
      "dev.json": [
        {
          db_id: "bakery",
          SpiderQuestion: "How many loaves?",
          SpiderSynQuestion: "How many breads?",
          query: "SELECT count(*) FROM Loaf",
        },
      ],
    },
  },
  sparc: {
    split: "dev",
    files: {
      "tables.json": [BAKERY_TABLES],
      "dev.json": [
        {
          database_id: "bakery",
          interaction: [
            { utterance: "Show all loaves.", query: "SELECT * FROM Loaf", utterance_toks: ["Show"] },
            { utterance: "Not rye.", query: "SELECT * FROM Loaf WHERE Name ! = 'Rye'" },
          ],
          final: { utterance: "Not rye.", query: "SELECT 1" },
        },
        { database_id: "bakery", interaction: "none" },
      ],
    },
  },
  cosql: {
    split: "dev",
    files: {
      "tables.json": [BAKERY_TABLES],
      "sql_state_tracking/cosql_dev.json": [
        { database_id: "bakery", interaction: [{ utterance: "Any bread?", query: "SELECT Name FROM Loaf" }] },
      ],
    },
  },
  bird: {
    split: "dev",
    files: {
      "dev/dev_tables.json": [BAKERY_TABLES],
      "dev/dev.json": [
        {
          question_id: 12,
          db_id: "bakery",
          question: "How many rye loaves?",
          evidence: "rye refers to Name = 'Rye'",
          SQL: "SELECT count(*) FROM Loaf WHERE Name = 'Rye'",
          difficulty: "simple",
        },
        {
          question_id: 13,
          db_id: "bakery",
          question: "And all?",
          evidence: "",
          SQL: "SELECT count(*) FROM Loaf",
        },
      ],
    },
  },
  synsql: {
    split: "train",
    files: {
      "tables.json": [BAKERY_TABLES],
      "data.json": [
        {
          db_id: "bakery",
          sql_complexity: "Simple",
          question_style: "Vague",
          question: "Loaves, please.",
          external_knowledge: "",
          cot: "Only one table is needed.",
          sql: "SELECT Name FROM Loaf",
        },
      ],
    },
  },
};
