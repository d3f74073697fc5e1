import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { LEDGER_MIGRATIONS, ledgerVersion, migrateLedger } from "../../io/ledger-schema.ts";

it("brings an empty file to the newest version, and leaves that one alone", () => {
  const connection = new Database(":memory:");
  expect(ledgerVersion(connection, "f")).toBe(0);
  migrateLedger(connection, "f");
  expect(ledgerVersion(connection, "f")).toBe(LEDGER_MIGRATIONS.length);
  connection.exec("INSERT INTO events VALUES ('s', 0, 'C', 'm', 1)");
  migrateLedger(connection, "f");
  expect(connection.prepare("SELECT count(*) FROM events").pluck().get()).toBe(1);
});

it("marks the file as a ledger: grad in ASCII", () => {
  const connection = new Database(":memory:");
  migrateLedger(connection, "f");
  expect(connection.pragma("application_id", { simple: true })).toBe(0x67726164);
});

it("refuses a newer version and another program's file", () => {
  const newer = new Database(":memory:");
  migrateLedger(newer, "f");
  newer.pragma(`user_version = ${LEDGER_MIGRATIONS.length + 1}`);
  expect(() => ledgerVersion(newer, "f")).toThrow(expect.objectContaining({ code: "LEDGER_NEWER" }) as Error);
  const other = new Database(":memory:");
  other.exec("CREATE TABLE t (a)");
  expect(() => migrateLedger(other, "f")).toThrow(
    expect.objectContaining({ code: "LEDGER_MALFORMED" }) as Error,
  );
});
