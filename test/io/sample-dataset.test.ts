import { rm } from "node:fs/promises";
import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { listFolder } from "../../io/files.ts";
import { packageRoot } from "../../io/package-root.ts";
import { layOutSample } from "../../io/sample-dataset.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";

const SOURCE = {
  "README.md": "",
  "spider/tables.json": "[]",
  "bird/dev/dev.json": "[]",
  "bird/descriptions/pets/dogs.csv": "original_column_name\n",
  "databases/pets.sql": "CREATE TABLE dogs (name TEXT); INSERT INTO dogs VALUES ('Rex'), ('Ada');",
};

describe("layOutSample", () => {
  it("puts each file and each database where the official layouts have it", async () => {
    const folder = await layOutSample(await temporaryFolder(SOURCE), await temporaryFolder());
    expect(Object.keys(await filesBelow(folder))).toEqual([
      "bird/dev/dev.json",
      "bird/dev/dev_databases/pets/database_description/dogs.csv",
      "bird/dev/dev_databases/pets/pets.sqlite",
      "bird/train/train_databases/pets/database_description/dogs.csv",
      "bird/train/train_databases/pets/pets.sqlite",
      "cosql/database/pets/pets.sqlite",
      "spider/database/pets/pets.sqlite",
      "spider/tables.json",
    ]);
    const connection = new SqliteDatabase(path.join(folder, "spider/database/pets/pets.sqlite"), {
      readonly: true,
    });
    expect(connection.prepare("SELECT name FROM dogs ORDER BY name").pluck().all()).toEqual(["Ada", "Rex"]);
    connection.close();
  });

  it("lays one content out once, another content beside it", async () => {
    const cache = await temporaryFolder();
    const source = await temporaryFolder(SOURCE);
    const first = await layOutSample(source, cache);
    await rm(path.join(first, "spider/tables.json"));
    expect(await layOutSample(source, cache)).toBe(first);
    expect(await listFolder(path.join(first, "spider"))).toEqual(["database"]);
    const other = await layOutSample(await temporaryFolder({ ...SOURCE, "spider/dev.json": "[]" }), cache);
    expect(other).not.toBe(first);
    expect(await listFolder(cache)).toEqual([path.basename(first), path.basename(other)].sort());
  });

  it("gives identical bytes for the package's own sample in two places", async () => {
    const source = path.join(await packageRoot(), "datasets/sample");
    const [one, two] = [await temporaryFolder(), await temporaryFolder()];
    const first = await layOutSample(source, one);
    const second = await layOutSample(source, two);
    expect(path.basename(second)).toBe(path.basename(first));
    const files = await filesBelow(first);
    const databases = Object.keys(files).filter((name) => name.endsWith(".sqlite"));
    expect(databases).toContain("spider/database/island_ferries/island_ferries.sqlite");
    expect(databases).toHaveLength(12);
    const others = await filesBelow(second);
    expect(Object.keys(others)).toEqual(Object.keys(files));
    for (const [name, content] of Object.entries(files)) expect(others[name] === content, name).toBe(true);
  });

  it("names the SQL text that does not run, and a source without files", async () => {
    const source = await temporaryFolder({ ...SOURCE, "databases/cats.sql": "CREATE TABEL cats (name);" });
    const cache = await temporaryFolder();
    await expect(layOutSample(source, cache)).rejects.toMatchObject({
      code: "SAMPLE_BROKEN",
      message: expect.stringContaining("cats.sql") as string,
    });
    await expect(layOutSample(path.join(source, "none"), cache)).rejects.toMatchObject({
      code: "SAMPLE_BROKEN",
    });
  });
});
