import { expect, it } from "vitest";
import { GradusError } from "../../core/errors.ts";
import { identityConflict, ledgerError, malformed } from "../../io/ledger-errors.ts";

function failure(code: string): Error {
  return Object.assign(new Error("engine says no"), { code });
}

it.each([
  ["SQLITE_FULL", "DISK_FULL"],
  ["SQLITE_BUSY", "LEDGER_BUSY"],
  ["SQLITE_BUSY_SNAPSHOT", "LEDGER_BUSY"],
  ["SQLITE_CORRUPT_INDEX", "LEDGER_MALFORMED"],
  ["SQLITE_NOTADB", "LEDGER_MALFORMED"],
  ["SQLITE_READONLY", "FILE_FORBIDDEN"],
  ["SQLITE_CANTOPEN", "FILE_FORBIDDEN"],
  ["SQLITE_MISUSE", "LEDGER_FAILED"],
])("%s leaves as %s, naming the file", (code, ours) => {
  const error = ledgerError("commit", "runs/a/ledger.sqlite", failure(code));
  expect(error).toMatchObject({ code: ours, site: { file: "runs/a/ledger.sqlite" } });
  expect(error.message).toContain("runs/a/ledger.sqlite");
});

it("leaves an error of ours as it is", () => {
  const known = new GradusError("LEDGER_NEWER", "newer");
  expect(ledgerError("open", "f", known)).toBe(known);
});

it("says what to do about a damaged ledger and an identity that changed", () => {
  expect(malformed("bad", { site: { file: "f" } }).hint).toContain("restore the file");
  expect(identityConflict("s1", "f")).toMatchObject({
    code: "LEDGER_IDENTITY_CONFLICT",
    site: { rowId: "s1" },
  });
});
