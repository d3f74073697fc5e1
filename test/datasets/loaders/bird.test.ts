import { describe, expect, it } from "vitest";
import bird from "../../../datasets/loaders/bird.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { BAKERY_TABLES, FIXTURES, collect, writeFolder } from "../dataset-fixtures.ts";

const dev = (root: string, release: string | null = null) => ({ root, split: "dev", release });
const QUESTION = {
  question_id: 7,
  db_id: "bakery",
  question: "All?",
  evidence: "",
  SQL: "SELECT * FROM Loaf",
};

describe("bird", () => {
  it("names rows by question id, keeps evidence and difficulty, and never invents a release", async () => {
    const root = await writeFolder(FIXTURES["bird"]?.files ?? {});
    const rows = await collect(bird.load(dev(root)));
    expect(rows).toMatchObject([
      { example: { sourceId: "12", evidence: "rye refers to Name = 'Rye'", difficulty: "simple" } },
      { example: { sourceId: "13", evidence: null, difficulty: null } },
    ]);
    expect(rows[0]).toHaveProperty(
      "example.dataset.release",
      expect.stringMatching(/^unrecognised-[0-9a-f]{12}$/) as string,
    );
  });

  it("reads files that lie directly below the root, and rows without ids", async () => {
    const { question_id: _, ...question } = QUESTION;
    const root = await writeFolder({ "dev.json": [question], "dev_tables.json": [BAKERY_TABLES] });
    expect(await collect(bird.load(dev(root)))).toMatchObject([{ example: { sourceId: "0" } }]);
    expect(await bird.schemas(dev(root))).toHaveLength(1);
  });

  it("needs no tables file for train", async () => {
    const root = await writeFolder({ "train/train.json": [QUESTION] });
    const source = { root, split: "train", release: null };
    expect(await bird.schemas(source)).toEqual([]);
    expect((await bird.files(source)).filter((file) => file.required).map((file) => file.name)).toEqual([
      "train/train.json",
    ]);
  });

  it("keeps both rows of a doubled id apart", async () => {
    const root = await writeFolder({ "mini_dev/mini_dev_sqlite.json": [QUESTION, QUESTION] });
    const rows = await collect(bird.load({ root, split: "mini_dev", release: null }));
    const ids = rows.map((row) => (row.kind === "example" ? [row.example.sourceId, row.example.id] : []));
    expect(ids.map(([sourceId]) => sourceId)).toEqual(["7", "7"]);
    expect(new Set(ids.map(([, id]) => id)).size).toBe(2);
  });

  it("takes comments from the description files and lists those files", async () => {
    const folder = "dev/dev_databases/bakery/database_description";
    const root = await writeFolder({
      "dev/dev.json": [QUESTION],
      "dev/dev_tables.json": [BAKERY_TABLES],
      [`${folder}/Loaf.csv`]:
        "original_column_name,column_name,column_description,data_format,value_description\nName,,what it is called,text,one word\n",
      [`${folder}/.DS_Store.csv`]: "x",
    });
    const [loaded] = await bird.schemas(dev(root));
    expect(loaded?.schema.tables[0]?.columns.map((column) => column.comment)).toEqual([
      "loaf id",
      "what it is called; one word",
    ]);
    expect(loaded?.notes).toEqual(["no file describes the table Sale"]);
    const files = await bird.files(dev(root));
    expect(files.filter((file) => file.role === "descriptions").map((file) => file.name)).toEqual([
      `${folder}/Loaf.csv`,
    ]);
  });
});

describeWithShared("bird on the real files", (folder) => {
  const root = `${folder}/data/bird`;

  it("recognises the releases of dev", async () => {
    const expected = { examples: 1534, ids: 1534, rejects: 0, databases: 11, schemas: 11 };
    expect(await countRows(root, "bird", "dev")).toEqual({ ...expected, release: "2024-06-27" });
    expect(await countRows(root, "bird", "dev", "2023-original")).toEqual({
      ...expected,
      release: "2023-original",
    });
    await expect(countRows(root, "bird", "dev", "2025-11-06")).rejects.toMatchObject({
      code: "DATASET_RELEASE_MISMATCH",
    });
  });

  it("recognises the filtered train set and mini-dev", async () => {
    expect(await countRows(root, "bird", "train")).toEqual({
      examples: 6601,
      ids: 6601,
      rejects: 0,
      databases: 69,
      schemas: 0,
      release: "filtered",
    });
    expect(await countRows(root, "bird", "mini_dev")).toMatchObject({
      examples: 500,
      ids: 500,
      rejects: 0,
      release: "archive",
    });
  });

  it("notes the description file that is not UTF-8", async () => {
    const schemas = await bird.schemas(dev(root));
    expect(
      schemas.flatMap(({ schema, notes }) => notes.map((note) => `${schema.databaseId}: ${note}`)),
    ).toEqual(["student_club: budget.csv is not UTF-8 and is read as Windows-1252"]);
  });
});
