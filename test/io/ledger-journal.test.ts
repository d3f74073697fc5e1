import Sqlite from "better-sqlite3";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isUnsafeForWal, setJournal } from "../../io/ledger-journal.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "ledger-journal-test-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("isUnsafeForWal", () => {
  it.each([
    ["NFS", 0x6969, true],
    ["FUSE", 0x65735546, true],
    ["CIFS as a signed number", -11317950, true],
    ["ext4", 0xef53, false],
    ["tmpfs", 0x01021994, false],
    ["overlayfs", 0x794c7630, false],
  ])("tells %s", (_, type, expected) => {
    expect(isUnsafeForWal(type)).toBe(expected);
  });
});

describe("setJournal", () => {
  it.each([
    ["a file where WAL is safe", "a.sqlite", true, "wal"],
    ["a file where it is not", "b.sqlite", false, "truncate"],
  ])("chooses for %s", (_, name, wal, expected) => {
    const connection = new Sqlite(path.join(folder, name));
    setJournal(connection, wal);
    expect(connection.pragma("journal_mode", { simple: true })).toBe(expected);
    expect(connection.pragma("synchronous", { simple: true })).toBe(expected === "wal" ? 1 : 2);
    connection.close();
  });

  it("does without WAL where the engine declines it", () => {
    const connection = new Sqlite(":memory:");
    setJournal(connection, true);
    expect(connection.pragma("journal_mode", { simple: true })).not.toBe("wal");
    connection.close();
  });
});
