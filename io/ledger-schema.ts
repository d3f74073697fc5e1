import type { Database } from "better-sqlite3";
import { GradusError } from "../core/errors.ts";
import { malformed } from "./ledger-errors.ts";

/** Marks a SQLite file as a rollout ledger: "grad" in ASCII. */
export const LEDGER_APPLICATION_ID = 0x67_72_61_64;

/**
 * The schema, step by step: entry i takes a ledger from `user_version` i to i + 1. Entries are only ever
 * appended, and only add. Columns of type ANY hold JSON: text, or a deflated blob where it is long.
 */
export const LEDGER_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE samples (
    id TEXT NOT NULL UNIQUE,
    example_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    sample_index INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'finished', 'discarded')),
    identity TEXT NOT NULL,
    outcome ANY,
    CHECK ((state = 'open') = (outcome IS NULL))
  ) STRICT;
  CREATE INDEX samples_in_order ON samples (example_id, round, sample_index, id, state);
  CREATE TABLE turns (
    sample_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    request_hash TEXT NOT NULL,
    reply ANY NOT NULL,
    observation ANY,
    UNIQUE (sample_id, turn)
  ) STRICT;
  CREATE TABLE dropped_turns (
    sample_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    request_hash TEXT NOT NULL,
    reply_digest TEXT NOT NULL,
    reply ANY NOT NULL,
    observation ANY,
    UNIQUE (sample_id, turn, request_hash, reply_digest)
  ) STRICT;
  CREATE TABLE events (
    sample_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    count INTEGER NOT NULL,
    UNIQUE (sample_id, turn, code, message)
  ) STRICT;
  `,
];

/**
 * The `user_version` of a ledger, 0 for an empty file. Reads only.
 * @throws LEDGER_MALFORMED for a SQLite file that is something else, LEDGER_NEWER.
 */
export function ledgerVersion(connection: Database, file: string): number {
  const application = connection.pragma("application_id", { simple: true });
  const version = connection.pragma("user_version", { simple: true }) as number;
  if (application !== LEDGER_APPLICATION_ID) {
    const tables = connection.prepare("SELECT count(*) FROM sqlite_schema").pluck().get();
    if (application === 0 && version === 0 && tables === 0) return 0;
    throw malformed(
      `cannot open ${file} as a ledger: it is a SQLite file with application id ${String(application)}, expected ${LEDGER_APPLICATION_ID}`,
      { site: { file } },
    );
  }
  if (version > LEDGER_MIGRATIONS.length) {
    throw new GradusError(
      "LEDGER_NEWER",
      `cannot open the ledger ${file}: it has version ${version}, expected at most ${LEDGER_MIGRATIONS.length}`,
      { site: { file }, hint: "a newer gradus wrote it: use that version" },
    );
  }
  return version;
}

/** Brings a ledger to the newest version, whole or not at all. Throws as {@link ledgerVersion}. */
export function migrateLedger(connection: Database, file: string): void {
  connection
    .transaction(() => {
      const version = ledgerVersion(connection, file);
      if (version === LEDGER_MIGRATIONS.length) return;
      for (const migration of LEDGER_MIGRATIONS.slice(version)) connection.exec(migration);
      connection.pragma(`application_id = ${LEDGER_APPLICATION_ID}`);
      connection.pragma(`user_version = ${LEDGER_MIGRATIONS.length}`);
    })
    .immediate();
}
