import type { PlugFinder } from "../core/plug.ts";
import type { DatasetConfig } from "./config.ts";
import { type PathRoots, resolvePath } from "./paths.ts";

/** The datasets of a config, found: everything in the config's order. */
export interface FoundDatasets {
  readonly roots: readonly string[];
  /** SPDX. */
  readonly licenses: readonly string[];
  readonly databaseFolders: readonly string[];
}

/** Finds loaders and folders. Throws PLUG_UNKNOWN, PATH_DATA_ROOT_MISSING. */
export async function findDatasets(
  datasets: readonly DatasetConfig[],
  plugs: PlugFinder,
  roots: PathRoots,
): Promise<FoundDatasets> {
  const found = { roots: [] as string[], licenses: [] as string[], databaseFolders: [] as string[] };
  for (const { loader: id, root, split, release, license } of datasets) {
    const loader = await plugs.find("loader", id);
    const resolved = await resolvePath(root, roots);
    found.roots.push(resolved);
    found.licenses.push(license ?? loader.license);
    found.databaseFolders.push(...loader.databaseFolders({ root: resolved, split, release }));
  }
  return found;
}
