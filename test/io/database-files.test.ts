import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyDatabase, databaseFileKind, settleDatabase } from "../../io/database-files.ts";
import { DatabaseFixture } from "./database-fixture.ts";

let fixture: DatabaseFixture;

beforeAll(() => {
  fixture = new DatabaseFixture();
});

afterAll(() => {
  fixture.remove();
});

describe("databaseFileKind", () => {
  it("tells files apart by their first bytes and their neighbours", async () => {
    const plain = fixture.create("plain.sqlite", "CREATE TABLE t (a)");
    const logged = fixture.create("logged.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    const journaled = fixture.create("journaled.sqlite", "CREATE TABLE t (a)");
    writeFileSync(`${journaled}-journal`, "");
    const text = path.join(fixture.folder, "text.sqlite");
    writeFileSync(text, "SQLite format 2");
    const empty = path.join(fixture.folder, "empty.sqlite");
    writeFileSync(empty, "");
    expect(await databaseFileKind(plain)).toBe("plain");
    expect(await databaseFileKind(logged)).toBe("journaled");
    expect(await databaseFileKind(journaled)).toBe("journaled");
    expect(await databaseFileKind(text)).toBe("not_a_database");
    expect(await databaseFileKind(empty)).toBe("plain");
    expect(await databaseFileKind(path.join(fixture.folder, "none.sqlite"))).toBe("missing");
    expect(await databaseFileKind(fixture.folder)).toBe("missing");
  });
});

describe("copyDatabase and settleDatabase", () => {
  it("leave a copy without a write-ahead log", async () => {
    const logged = fixture.create("source.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    const folder = path.join(fixture.folder, "copy");
    const copy = await copyDatabase(logged, folder);
    settleDatabase(copy);
    expect(await databaseFileKind(copy)).toBe("plain");
    expect(readdirSync(folder)).toEqual(["source.sqlite"]);
  });

  it("throw for what cannot be copied or opened", async () => {
    const missing = path.join(fixture.folder, "none.sqlite");
    await expect(copyDatabase(missing, path.join(fixture.folder, "no"))).rejects.toMatchObject({
      code: "FILE_MISSING",
    });
    const broken = path.join(fixture.folder, "broken");
    mkdirSync(broken);
    expect(() => {
      settleDatabase(broken);
    }).toThrowError(expect.objectContaining({ code: "DATABASE_UNREADABLE" }));
  });
});
