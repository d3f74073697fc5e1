import type { PlugFinder } from "../core/plug.ts";
import type { DatasetConfig } from "./config.ts";
import { type PathRoots, resolvePath } from "./paths.ts";

/** The datasets of a config, found: everything in the config's order. */
export interface FoundDatasets {
  readonly roots: readonly string[];
  /** SPDX. */
  readonly licenses: readonly string[];
  readonly databaseFolders: readonly string[];
  /** Absolute files of corrections of each dataset. */
  readonly corrections: readonly (readonly string[])[];
}

/** Finds loaders and folders. Throws PLUG_UNKNOWN, PATH_DATA_ROOT_MISSING. */
export async function findDatasets(
  datasets: readonly DatasetConfig[],
  plugs: PlugFinder,
  roots: PathRoots,
): Promise<FoundDatasets> {
  const found = { roots: [] as string[], licenses: [] as string[], databaseFolders: [] as string[] };
  const corrections: string[][] = [];
  for (const { loader: id, root, split, release, license, corrections: files } of datasets) {
    const loader = await plugs.find("loader", id);
    const resolved = await resolvePath(root, roots);
    found.roots.push(resolved);
    corrections.push(await Promise.all(files.map((file) => resolvePath(file, roots))));
    found.licenses.push(license ?? loader.license);
    found.databaseFolders.push(...loader.databaseFolders({ root: resolved, split, release }));
  }
  return { ...found, corrections };
}
