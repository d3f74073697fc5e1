import { GradusError, messageOf } from "../core/errors.ts";
import { systemCode } from "./files.ts";

const KEPT = "free some space and run the same command again: what was committed is kept";
const RESTORE =
  "restore the file from a copy, or move it away: the work in it is then asked for and paid for again";

/** Turns a failed ledger operation into an error that names the ledger and the next step; a `GradusError` stays as it is. */
export function ledgerError(action: string, file: string, thrown: unknown): GradusError {
  if (thrown instanceof GradusError) return thrown;
  const code = systemCode(thrown) ?? "";
  const details = { site: { file }, cause: thrown };
  if (code === "SQLITE_FULL") {
    return new GradusError("DISK_FULL", `cannot ${action}: no space is left for ${file}`, {
      ...details,
      hint: KEPT,
    });
  }
  if (code.startsWith("SQLITE_BUSY")) {
    return new GradusError("LEDGER_BUSY", `cannot ${action}: another process is writing to ${file}`, {
      ...details,
      hint: "wait until it is done, or stop it",
    });
  }
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return malformed(`cannot ${action}: ${file} is no whole ledger (${messageOf(thrown)})`, details);
  }
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code === "SQLITE_PERM") {
    return new GradusError("FILE_FORBIDDEN", `cannot ${action}: the system refuses access to ${file}`, {
      ...details,
      hint: "check the permissions of the file and its folder",
    });
  }
  return new GradusError("LEDGER_FAILED", `cannot ${action} in ${file}: ${messageOf(thrown)}`, details);
}

/** LEDGER_MALFORMED with its hint. */
export function malformed(
  message: string,
  details: { readonly site: { readonly file: string }; readonly cause?: unknown },
): GradusError {
  return new GradusError("LEDGER_MALFORMED", message, { ...details, hint: RESTORE });
}

/** LEDGER_IDENTITY_CONFLICT. */
export function identityConflict(sampleId: string, file: string): GradusError {
  return new GradusError(
    "LEDGER_IDENTITY_CONFLICT",
    `cannot open sample ${sampleId}: the ledger has it with another identity`,
    {
      site: { file, rowId: sampleId },
      hint: "the ledger was written by code that forms sample ids in another way: keep it, and start a run under another name",
    },
  );
}
