import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const PREFIX = "gradus-";

/**
 * Makes an empty folder among the system's temporary files, named by purpose and process, after removing those
 * that killed processes of gradus left behind.
 */
export function makeScratchFolder(purpose: string): string {
  removeLeftFolders(tmpdir());
  return mkdtempSync(path.join(tmpdir(), `${PREFIX}${purpose}-${process.pid}-`));
}

/** Removes the scratch folders of processes that are gone. */
export function removeLeftFolders(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^gradus-[a-z]+-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(path.join(folder, name), { recursive: true, force: true });
    } catch {
      // Another user's, or in use: it stays.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}
