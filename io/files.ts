import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { GradusError, messageOf } from "../core/errors.ts";

/** The system's code of a failed call (`ENOENT`, `ENOSPC`), if it has one. */
export function systemCode(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Turns a failed file operation into an error that names the file and the next step. */
export function fileError(action: string, file: string, thrown: unknown): GradusError {
  const code = systemCode(thrown);
  if (code === "ENOENT") {
    return new GradusError("FILE_MISSING", `cannot ${action}: there is no file ${file}`, {
      hint: "check the path, and the root it is taken from (--data or GRADUS_DATA)",
      cause: thrown,
    });
  }
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL") {
    return new GradusError("DISK_FULL", `cannot ${action}: no space is left for ${file}`, {
      hint: "free some space and run the same command again: what was finished is kept",
      cause: thrown,
    });
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new GradusError("FILE_FORBIDDEN", `cannot ${action}: the system refuses access to ${file}`, {
      hint: "check the permissions of the file and its folder",
      cause: thrown,
    });
  }
  return new GradusError("FILE_FAILED", `cannot ${action} ${file}: ${messageOf(thrown)}`, { cause: thrown });
}

/** Whether there is a file or folder. */
export async function exists(file: string): Promise<boolean> {
  return (await kindOf(file)) !== "missing";
}

/** What is at a path. */
export async function kindOf(file: string): Promise<"file" | "folder" | "missing"> {
  try {
    return (await stat(file)).isDirectory() ? "folder" : "file";
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT" || systemCode(thrown) === "ENOTDIR") return "missing";
    throw fileError("look at", file, thrown);
  }
}

/** The names in a folder, sorted by code unit; empty when there is no folder. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return [];
    throw fileError("list", folder, thrown);
  }
}

/** The bytes of a file. Throws FILE_MISSING, FILE_FORBIDDEN, FILE_FAILED. */
export async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (thrown) {
    throw fileError("read", file, thrown);
  }
}

/** The text of a UTF-8 file, without a byte order mark. Throws as {@link readBytes}. */
export async function readText(file: string): Promise<string> {
  const text = (await readBytes(file)).toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** SHA-256 of a file's bytes, streamed, and their number. Throws as {@link readBytes}. */
export async function digestFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (thrown) {
    throw fileError("read", file, thrown);
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Makes a folder and those above it. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (thrown) {
    throw fileError("make the folder", folder, thrown);
  }
}

/** Removes a file or folder and all in it; nothing happens when there is none. */
export async function remove(target: string): Promise<void> {
  try {
    await rm(target, { recursive: true, force: true });
  } catch (thrown) {
    throw fileError("remove", target, thrown);
  }
}

/** Moves a file or folder within one file system, in one step. */
export async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (thrown) {
    throw fileError("move to", to, thrown);
  }
}

/** Writes a file whole or not at all: to a neighbour first, flushed, then renamed. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const partial = `${file}.partial`;
  await makeFolder(path.dirname(file));
  try {
    const handle = await open(partial, "w");
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (thrown) {
    await rm(partial, { force: true });
    throw fileError("write", file, thrown);
  }
}
