import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { DatabaseProfile } from "../core/database-profile.ts";
import { canonicalJson, keyOf } from "../core/key.ts";
import {
  digestFile,
  exists,
  fileError,
  kindOf,
  makeFolder,
  move,
  readText,
  remove,
  writeWhole,
} from "./files.ts";
import { removeLeftFolders } from "./scratch-folder.ts";

const PROFILE = "profile.json";
const INDEX = "search.sqlite";

/** Times that a place is cleared of something damaged before another process's is waited for no longer. */
const ATTEMPTS = 3;

/** `profile.json`: the profile, what file the index is, and a digest of both. */
const SavedProfile = z.strictObject({
  profile: DatabaseProfile,
  index: z.strictObject({ bytes: z.int().nonnegative(), sha256: z.string() }),
  digest: z.string(),
});

/** A profile with the file of its search index. */
export interface CachedProfile {
  readonly profile: DatabaseProfile;
  readonly indexFile: string;
}

/** Reads a cached profile; `null` when it is missing, not whole or damaged, its index looked at by digest. */
export async function readCachedProfile(folder: string): Promise<CachedProfile | null> {
  const [file, indexFile] = [path.join(folder, PROFILE), path.join(folder, INDEX)];
  if ((await kindOf(file)) !== "file" || (await kindOf(indexFile)) !== "file") return null;
  const saved = SavedProfile.safeParse(parsed(await readText(file)));
  if (!saved.success) return null;
  const { profile, index, digest } = saved.data;
  if (keyOf({ profile, index }) !== digest) return null;
  const found = await digestFile(indexFile);
  return found.sha256 === index.sha256 && found.bytes === index.bytes ? { profile, indexFile } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A new folder in the cache to make a profile in; removes those that killed processes left. */
export async function makeProfileFolder(cacheFolder: string): Promise<{ folder: string; indexFile: string }> {
  await makeFolder(cacheFolder);
  removeLeftFolders(cacheFolder);
  const prefix = path.join(cacheFolder, `gradus-profile-${process.pid}-`);
  try {
    const folder = await mkdtemp(prefix);
    return { folder, indexFile: path.join(folder, INDEX) };
  } catch (thrown) {
    throw fileError("make the folder", prefix, thrown);
  }
}

/**
 * Puts a profile, whose index lies in `made` already, at its place in the cache, in one step. What another process
 * put there meanwhile stays when it is whole, and takes its place when it is not.
 */
export async function publishProfile(
  made: string,
  profile: DatabaseProfile,
  place: string,
): Promise<CachedProfile> {
  const { sha256, bytes } = await digestFile(path.join(made, INDEX));
  const content = { profile, index: { bytes, sha256 } };
  const text = `${canonicalJson({ ...content, digest: keyOf(content) })}\n`;
  await writeWhole(path.join(made, PROFILE), text);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await move(made, place);
      return { profile, indexFile: path.join(place, INDEX) };
    } catch (thrown) {
      if (attempt === ATTEMPTS || !(await exists(place))) throw thrown;
    }
    const other = await readCachedProfile(place);
    if (other !== null) {
      await remove(made);
      return other;
    }
    await setAside(place);
  }
}

/** Removes what is at a place, in one step for those who look; another process may be quicker. */
async function setAside(place: string): Promise<void> {
  const { folder } = await makeProfileFolder(path.dirname(place));
  try {
    await move(place, path.join(folder, "old"));
  } catch (thrown) {
    if (await exists(place)) throw thrown;
  } finally {
    await remove(folder);
  }
}
