import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyDatabase, databaseBytes, databaseFileKind, settleDatabase } from "../../io/database-files.ts";
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

const PAGE_BYTES = 4096;
const MAGIC = Buffer.from("d9d505f920a163d7", "hex");

function bigEndian(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeUInt32BE(number >>> 0, index * 4));
  return bytes;
}

/** A rollback journal without pages, which names a super-journal in the way of SQLite's file format. */
function journalNaming(name: string, database: string): Buffer {
  const header = Buffer.alloc(512);
  const pages = readFileSync(database).length / PAGE_BYTES;
  MAGIC.copy(header);
  bigEndian(0, 1, pages, header.length, PAGE_BYTES).copy(header, MAGIC.length);
  const bytes = Buffer.from(name);
  const checksum = bytes.reduce((sum, byte) => sum + byte, 0);
  return Buffer.concat([header, bigEndian(262_145), bytes, bigEndian(bytes.length, checksum), MAGIC]);
}

describe("databaseBytes", () => {
  it("counts a file and its journals", async () => {
    const file = path.join(fixture.folder, "sized.sqlite");
    expect(await databaseBytes(file)).toBe(0);
    writeFileSync(file, "12345");
    writeFileSync(`${file}-wal`, "123");
    expect(await databaseBytes(file)).toBe(8);
  });
});

describe("copyDatabase and settleDatabase", () => {
  it("delete no file that a journal names as its super-journal", async () => {
    const file = fixture.create("crafted.sqlite", "CREATE TABLE t (a)");
    const precious = path.join(fixture.folder, "precious.txt");
    writeFileSync(precious, "precious\n");
    writeFileSync(`${file}-journal`, journalNaming(precious, file));
    const folder = path.join(fixture.folder, "crafted");
    const copy = await copyDatabase(file, folder);
    settleDatabase(copy);
    expect(readFileSync(precious, "utf8")).toBe("precious\n");
    expect(readdirSync(folder)).toEqual(["crafted.sqlite"]);
  });

  it("ignore a journal whose super-journal is gone, as SQLite does", async () => {
    const file = fixture.create("done.sqlite", "CREATE TABLE t (a)");
    const gone = path.join(fixture.folder, "gone-super");
    writeFileSync(`${file}-journal`, journalNaming(gone, file));
    const copy = await copyDatabase(file, path.join(fixture.folder, "done"));
    expect(existsSync(`${copy}-journal`)).toBe(false);
    settleDatabase(copy);
    expect(readFileSync(copy)).toEqual(readFileSync(file));
  });

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
