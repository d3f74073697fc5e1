import path from "node:path";
import Sqlite, { type Database } from "better-sqlite3";
import { GradusError } from "../core/errors.ts";
import { kindOf, makeFolder } from "./files.ts";
import { ledgerError, malformed } from "./ledger-errors.ts";
import { setJournal, walIsSafe } from "./ledger-journal.ts";
import { ledgerVersion, LEDGER_MIGRATIONS, migrateLedger } from "./ledger-schema.ts";

const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 65_536;

/** How a ledger is opened. A read-only one must exist, and reads while another process writes. */
export interface LedgerOptions {
  /** False by default. */
  readonly readOnly?: boolean;
}

/**
 * A connection to a ledger of the newest version; makes the file, or migrates it, unless read-only.
 * @throws LEDGER_MISSING, LEDGER_MALFORMED, LEDGER_NEWER, LEDGER_OLDER (read-only), LEDGER_BUSY, DISK_FULL,
 * FILE_FORBIDDEN, LEDGER_FAILED.
 */
export async function openLedgerConnection(file: string, options: LedgerOptions = {}): Promise<Database> {
  const readOnly = options.readOnly ?? false;
  const kind = await kindOf(file);
  if (kind === "folder")
    throw malformed(`cannot open ${file} as a ledger: it is a folder`, { site: { file } });
  if (kind === "missing" && readOnly) throw missing(file, "there is no such file");
  const folder = path.dirname(file);
  if (!readOnly) await makeFolder(folder);
  const wal = readOnly ? false : await walIsSafe(folder);
  let connection: Database | undefined;
  try {
    connection = new Sqlite(file, { readonly: readOnly, fileMustExist: readOnly, timeout: BUSY_TIMEOUT_MS });
    if (readOnly) expectCurrent(ledgerVersion(connection, file), file);
    else prepareToWrite(connection, file, wal);
    return connection;
  } catch (thrown) {
    connection?.close();
    throw ledgerError("open the ledger", file, thrown);
  }
}

function prepareToWrite(connection: Database, file: string, wal: boolean): void {
  ledgerVersion(connection, file);
  setJournal(connection, wal);
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  migrateLedger(connection, file);
}

function expectCurrent(version: number, file: string): void {
  if (version === LEDGER_MIGRATIONS.length) return;
  if (version === 0) throw missing(file, "the file holds nothing yet");
  throw new GradusError(
    "LEDGER_OLDER",
    `cannot read the ledger ${file}: it has version ${version}, expected ${LEDGER_MIGRATIONS.length}`,
    { site: { file }, hint: "run its pipeline once with this gradus: that brings the ledger up to date" },
  );
}

function missing(file: string, why: string): GradusError {
  return new GradusError("LEDGER_MISSING", `cannot read the ledger ${file}: ${why}`, {
    site: { file },
    hint: "check the path; a run makes its ledger when its rollouts start",
  });
}
