import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import type { Artifact } from "./artifact-store.ts";
import { canonicalJson } from "../core/key.ts";
import { digestFile, fileError, kindOf, makeFolder, move, readText, remove, writeWhole } from "./files.ts";

/**
 * Shows the files of an artifact in `target`, with its manifest as `manifest.json`: copied (shared blocks
 * where the file system can) into a neighbour that then takes the place of `target` and of all that was in
 * it. Does nothing when that artifact is already there, unchanged.
 */
export async function publishFolder(artifact: Artifact, target: string): Promise<void> {
  const manifestText = `${canonicalJson(artifact.manifest)}\n`;
  if (await isShown(artifact, target, manifestText)) return;
  const next = `${target}.partial`;
  const previous = `${target}.previous`;
  await remove(next);
  await makeFolder(next);
  for (const file of artifact.manifest.files) {
    const to = path.join(next, file.path);
    await makeFolder(path.dirname(to));
    await place(path.join(artifact.folder, "files", file.path), to);
  }
  await writeWhole(path.join(next, "manifest.json"), manifestText);
  await remove(previous);
  if ((await kindOf(target)) !== "missing") await move(target, previous);
  await move(next, target);
  await remove(previous);
}

/** Whether the manifest and every file of it are there. */
async function isShown(artifact: Artifact, target: string, manifestText: string): Promise<boolean> {
  const shown = path.join(target, "manifest.json");
  if ((await kindOf(shown)) !== "file" || (await readText(shown)) !== manifestText) return false;
  for (const file of artifact.manifest.files) {
    const at = path.join(target, file.path);
    if ((await kindOf(at)) !== "file" || (await digestFile(at)).sha256 !== file.sha256) return false;
  }
  return true;
}

async function place(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (thrown) {
    throw fileError("write", to, thrown);
  }
}
