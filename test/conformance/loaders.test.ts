import { rename } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { DatabaseSchema } from "../../core/database.ts";
import { Example } from "../../core/example.ts";
import { canonicalJson } from "../../core/key.ts";
import type { LoadedRow } from "../../core/loader.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { FIXTURES, collect, writeFolder } from "../datasets/dataset-fixtures.ts";

const plugs = createPlugFinder();
const ids = await plugs.list("loader");

describe("loaders", () => {
  it("have a fixture each", () => {
    expect(Object.keys(FIXTURES).sort()).toEqual([...ids].sort());
  });
});

describe.each(ids)("loader %s", (id) => {
  async function open() {
    const fixture = FIXTURES[id];
    if (fixture === undefined) throw new Error(`no fixture for ${id}`);
    const root = await writeFolder(fixture.files);
    return { loader: await plugs.find("loader", id), source: { root, split: fixture.split, release: null } };
  }

  it("gives frozen plain examples with unique identities, and rejects", async () => {
    const { loader, source } = await open();
    const rows = await collect(loader.load(source));
    const examples = rows.flatMap((row) => (row.kind === "example" ? [row.example] : []));
    expect(examples.length).toBeGreaterThan(0);
    expect(new Set(examples.map((example) => example.id)).size).toBe(examples.length);
    for (const example of examples) {
      expect(Example.parse(example)).toEqual(example);
      expect(Object.isFrozen(example)).toBe(true);
      expect(Object.isFrozen(example.gold)).toBe(true);
      expect(Object.isFrozen(example.dataset)).toBe(true);
      expect(JSON.parse(canonicalJson(example))).toEqual(example);
      expect(example.dataset.split).toBe(source.split);
      expect(example.dataset.name).toBe(id);
    }
    for (const row of rows) if (row.kind === "reject") expect(row.reject.code).toMatch(/^[A-Z_]+$/);
  });

  it("gives the same rows twice", async () => {
    const { loader, source } = await open();
    expect(await collect(loader.load(source))).toEqual(await collect(loader.load(source)));
  });

  it("can be stopped after one row", async () => {
    const { loader, source } = await open();
    let first: LoadedRow | undefined;
    for await (const row of loader.load(source)) {
      first = row;
      break;
    }
    expect(first).toEqual((await collect(loader.load(source)))[0]);
  });

  it("describes its databases", async () => {
    const { loader, source } = await open();
    const schemas = await loader.schemas(source);
    expect(schemas.map((one) => one.schema.databaseId)).toEqual(["bakery"]);
    for (const { schema } of schemas) expect(DatabaseSchema.parse(schema)).toEqual(schema);
  });

  it("names its files below the root and its database folders as absolute paths", async () => {
    const { loader, source } = await open();
    for (const file of await loader.files(source)) {
      expect(file.path).toBe(path.resolve(source.root, file.name));
      expect(path.isAbsolute(file.name)).toBe(false);
    }
    expect(loader.databaseFolders(source).length).toBeGreaterThan(0);
    for (const folder of loader.databaseFolders(source)) expect(path.isAbsolute(folder)).toBe(true);
  });

  it("reports a required file that is missing", async () => {
    const { loader, source } = await open();
    const questions = (await loader.files(source)).find((file) => file.role === "questions");
    if (questions === undefined) throw new Error(`${id} names no questions file`);
    expect(questions.required).toBe(true);
    await rename(questions.path, `${questions.path}.moved`);
    await expect(collect(loader.load(source))).rejects.toMatchObject({
      code: "DATASET_FILE_MISSING",
      message: expect.stringContaining(questions.name) as string,
    });
  });

  it("knows its splits", async () => {
    const { loader, source } = await open();
    const wrong = { ...source, split: "nowhere" };
    await expect(loader.files(wrong)).rejects.toMatchObject({ code: "DATASET_SPLIT_UNKNOWN" });
    expect(loader.splits).toContain(source.split);
  });
});
