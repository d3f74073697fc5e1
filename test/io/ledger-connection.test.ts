import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openLedgerConnection } from "../../io/ledger-connection.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("makes the folder and the file, and opens the file again to read", async () => {
  const file = path.join(await temporaryFolder(), "runs", "a", "ledger.sqlite");
  (await openLedgerConnection(file)).close();
  const reader = await openLedgerConnection(file, { readOnly: true });
  expect(() => reader.exec("DELETE FROM samples")).toThrow(/readonly/);
  reader.close();
});

it("does not make what is only to be read", async () => {
  const file = path.join(await temporaryFolder(), "ledger.sqlite");
  await expect(openLedgerConnection(file, { readOnly: true })).rejects.toMatchObject({
    code: "LEDGER_MISSING",
  });
});

it("refuses a folder, a text file, and a database of another kind", async () => {
  const folder = await temporaryFolder();
  mkdirSync(path.join(folder, "dir"));
  writeFileSync(path.join(folder, "text"), "this is no database, however long it may be ".repeat(40));
  const other = new Database(path.join(folder, "other"));
  other.exec("CREATE TABLE t (a)");
  other.close();
  for (const name of ["dir", "text", "other"]) {
    const opened = openLedgerConnection(path.join(folder, name));
    await expect(opened, name).rejects.toMatchObject({ code: "LEDGER_MALFORMED" });
  }
});
