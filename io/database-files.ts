import { copyFile, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { GradusError, messageOf } from "../core/errors.ts";
import { exists, fileError, kindOf, makeFolder } from "./files.ts";
import { openConnection } from "./sql-driver.ts";

const HEADER = "SQLite format 3\0";
const HEADER_BYTES = 100;
const WRITE_VERSION = 18;
const READ_VERSION = 19;
const WRITE_AHEAD = 2;

/** Files beside a database that hold a part of its content. */
const JOURNALS = ["-wal", "-journal"];

/**
 * What a path holds, from the file's first bytes and its neighbours. `journaled`: its header asks for
 * write-ahead logging, or a journal lies beside it, so that opening it could write.
 */
export type DatabaseFileKind = "missing" | "not_a_database" | "journaled" | "plain";

/** Looks at a database file without opening it as one. An empty file is a database without tables. */
export async function databaseFileKind(file: string): Promise<DatabaseFileKind> {
  if ((await kindOf(file)) !== "file") return "missing";
  const header = await readHeader(file);
  if (header.length > 0 && !header.toString("latin1").startsWith(HEADER)) return "not_a_database";
  if (header[WRITE_VERSION] === WRITE_AHEAD || header[READ_VERSION] === WRITE_AHEAD) return "journaled";
  for (const suffix of JOURNALS) if (await exists(file + suffix)) return "journaled";
  return "plain";
}

/** Bytes of a database file with its journals; 0 where there is none. */
export async function databaseBytes(file: string): Promise<number> {
  let bytes = 0;
  for (const suffix of ["", ...JOURNALS]) {
    try {
      bytes += (await stat(file + suffix)).size;
    } catch (thrown) {
      if (await exists(file + suffix)) throw fileError("read", file + suffix, thrown);
    }
  }
  return bytes;
}

async function readHeader(file: string): Promise<Buffer> {
  try {
    const handle = await open(file, "r");
    try {
      const buffer = Buffer.alloc(HEADER_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, HEADER_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    throw fileError("read", file, thrown);
  }
}

/**
 * Copies a database with its journals into `folder`; returns the copy's path. The source is only read. A
 * rollback journal that names a super-journal is copied without that name, or not at all when there is no
 * such file, which is when SQLite ignores the journal: it would delete the named file, whatever it is.
 */
export async function copyDatabase(file: string, folder: string): Promise<string> {
  const copy = path.join(folder, path.basename(file));
  await makeFolder(folder);
  for (const suffix of ["", ...JOURNALS]) {
    if (suffix !== "" && !(await exists(file + suffix))) continue;
    try {
      await copyFile(file + suffix, copy + suffix);
    } catch (thrown) {
      throw fileError("copy", file + suffix, thrown);
    }
  }
  if (await exists(`${copy}-journal`)) await hideSuperJournal(`${copy}-journal`);
  return copy;
}

const JOURNAL_MAGIC = "d9d505f920a163d7";
const MAX_PATH_BYTES = 4096;

/** A journal that names a super-journal ends in the name, its length, its checksum and the magic. */
const TRAILER_BYTES = 16;
const MAGIC_START = 8;

/** Makes SQLite blind to the name of a super-journal: it is only looked for at the very end. */
async function hideSuperJournal(journal: string): Promise<void> {
  const handle = await open(journal, "r+");
  let name = "";
  try {
    const { size } = await handle.stat();
    const trailer = Buffer.alloc(TRAILER_BYTES);
    await handle.read(trailer, 0, TRAILER_BYTES, Math.max(0, size - TRAILER_BYTES));
    if (trailer.toString("hex", MAGIC_START) !== JOURNAL_MAGIC) return;
    const nameBytes = trailer.readUInt32BE(0);
    if (nameBytes > 0 && nameBytes <= Math.min(MAX_PATH_BYTES, size - TRAILER_BYTES)) {
      const bytes = Buffer.alloc(nameBytes);
      await handle.read(bytes, 0, nameBytes, size - TRAILER_BYTES - nameBytes);
      name = bytes.toString();
    }
    await handle.write(Buffer.alloc(TRAILER_BYTES), 0, TRAILER_BYTES, size);
  } finally {
    await handle.close();
  }
  if (name !== "" && !(await exists(name))) await rm(journal);
}

/**
 * Plays back and removes the journals of a copy that {@link copyDatabase} made, and takes it out of
 * write-ahead mode. The file's content is untrusted: for worker processes.
 * @throws DATABASE_UNREADABLE when SQLite cannot.
 */
export function settleDatabase(copy: string): void {
  try {
    const connection = openConnection(copy, { readOnly: false });
    try {
      connection.exec("PRAGMA journal_mode = DELETE");
    } finally {
      connection.close();
    }
  } catch (thrown) {
    throw new GradusError("DATABASE_UNREADABLE", `cannot play back the journal: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}
