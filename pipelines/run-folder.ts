import path from "node:path";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { canonicalJson } from "../core/key.ts";
import { kindOf, readText, writeWhole } from "../io/files.ts";

const Latest = z.record(z.string(), z.string());

/** The key that each step of a run was last made under. */
export type Latest = Record<string, string>;

/** Reads a run's `latest.json`; empty when there is none. Throws RUN_DAMAGED for one that does not read. */
export async function readLatest(runFolder: string): Promise<Latest> {
  const file = path.join(runFolder, "latest.json");
  if ((await kindOf(file)) !== "file") return {};
  try {
    return Latest.parse(JSON.parse(await readText(file)));
  } catch (thrown) {
    throw new GradusError("RUN_DAMAGED", `cannot use ${file}: it does not list the run's steps`, {
      hint: "remove the file and run again: finished artifacts are found by their keys",
      cause: thrown,
    });
  }
}

/** Writes a run's `latest.json`, whole. */
export async function writeLatest(runFolder: string, latest: Latest): Promise<void> {
  await writeWhole(path.join(runFolder, "latest.json"), `${canonicalJson(latest)}\n`);
}
