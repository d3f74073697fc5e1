import path from "node:path";
import Database from "better-sqlite3";
import { GradusError, messageOf } from "../core/errors.ts";
import { exists, fileError, makeFolder, readText, systemCode, writeWhole } from "./files.ts";

/** Held while one process writes to a run. */
export interface RunLock {
  release(): void;
}

/**
 * Takes the lock of a run: an exclusive SQLite transaction, which the kernel gives up when the process
 * ends in any way. `holder` is a line for the person who meets the lock (process id, command).
 * @throws RUN_LOCKED naming the holder when another process has it; FILE_FAILED when the lock cannot be opened.
 */
export async function lockRun(runFolder: string, holder: string): Promise<RunLock> {
  await makeFolder(runFolder);
  const holderFile = path.join(runFolder, "lock.holder");
  const connection = open(path.join(runFolder, "lock.sqlite"));
  try {
    connection.pragma("journal_mode = DELETE");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (thrown) {
    connection.close();
    if (systemCode(thrown) !== "SQLITE_BUSY") throw fileError("lock", runFolder, thrown);
    const other = (await exists(holderFile)) ? (await readText(holderFile)).trim() : "another process";
    throw new GradusError(
      "RUN_LOCKED",
      `cannot write to the run ${path.basename(runFolder)}: ${other} holds it`,
      {
        hint: "wait until it is done, stop it, or choose another --name",
        cause: messageOf(thrown),
      },
    );
  }
  await writeWhole(holderFile, `${holder}\n`);
  return {
    release: () => {
      connection.close();
    },
  };
}

function open(file: string): Database.Database {
  try {
    return new Database(file, { timeout: 0 });
  } catch (thrown) {
    throw fileError("open", file, thrown);
  }
}
