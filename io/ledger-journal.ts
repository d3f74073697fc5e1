import { statfs } from "node:fs/promises";
import type { Database } from "better-sqlite3";
import { fileError } from "./files.ts";

/** File system types of Linux whose shared memory or locks do not reach every process that can open a file. */
const UNSAFE_TYPES: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x65735546, // FUSE
  0x01021997, // 9P
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x6b414653, // kAFS
  0x73757245, // Coda
  0x564c, // NCP
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0x7461636f, // OCFS2
  0x01161970, // GFS2
  0xaad7aaea, // PanFS
  0x786f4256, // VirtualBox shared folder
  0xbacbacbc, // VMware shared folder
]);

/** Whether a file system with this `statfs` type (Linux) is a network, shared or FUSE one. */
export function isUnsafeForWal(fileSystemType: number): boolean {
  return UNSAFE_TYPES.has(fileSystemType >>> 0);
}

/** Whether write-ahead logging is safe in a folder, as far as the system tells: only Linux does. */
export async function walIsSafe(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  try {
    return !isUnsafeForWal((await statfs(folder)).type);
  } catch (thrown) {
    throw fileError("look at", folder, thrown);
  }
}

/**
 * Sets the journal: write-ahead log, or TRUNCATE where that is unsafe or the engine declines it. In the log a
 * commit is written but not flushed (`synchronous = NORMAL`): it survives the end of the process in any way,
 * `kill -9` included; a power cut loses at most the seconds that the system had not written out, and the file
 * stays whole. A flush a tick would hold up every episode for as long as the disk takes.
 */
export function setJournal(connection: Database, wal: boolean): void {
  const answer = wal ? connection.pragma("journal_mode = WAL", { simple: true }) : "refused";
  if (answer === "wal") {
    connection.pragma("synchronous = NORMAL");
    return;
  }
  connection.pragma("journal_mode = TRUNCATE");
  connection.pragma("synchronous = FULL");
}

/** Folds the write-ahead log into the file, so that it opens in a read-only folder too; leaves it while readers are there. */
export function foldJournal(connection: Database): void {
  connection.pragma("busy_timeout = 0");
  try {
    connection.pragma("journal_mode = DELETE");
  } catch {
    return;
  }
}
