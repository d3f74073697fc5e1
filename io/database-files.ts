import { copyFile, open } from "node:fs/promises";
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

/** Copies a database with its journals into `folder`; returns the copy's path. The source is only read. */
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
  return copy;
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
