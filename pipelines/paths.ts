import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { kindOf } from "../io/files.ts";
import { packageRoot } from "../io/package-root.ts";
import { layOutSample } from "../io/sample-dataset.ts";

/** What paths of a config are taken from. */
export interface PathRoots {
  /** `--data`, else GRADUS_DATA; `null` when neither is set. */
  readonly dataRoot: string | null;
  /** Folder of the config file, or the working folder. */
  readonly configFolder: string;
  /** `--runs`, else `runs` in the working folder. */
  readonly runsFolder: string;
}

/**
 * The absolute path that a config or a flag means: absolute as it is, `./` and `../` beside the config,
 * `sample:<layout>` in the sample dataset, anything else below the data root; what is not there, and is beside the config
 * or in the working folder, is taken from there.
 * @throws PATH_DATA_ROOT_MISSING when it is in none of these and no data root is set.
 */
export async function resolvePath(value: string, roots: PathRoots): Promise<string> {
  if (path.isAbsolute(value)) return value;
  if (/^\.\.?(\/|$)/.test(value)) return path.resolve(roots.configFolder, value);
  if (value.startsWith("sample:")) {
    const source = path.join(await packageRoot(), "datasets", "sample");
    return path.join(
      await layOutSample(source, path.join(roots.runsFolder, ".sample")),
      value.slice("sample:".length),
    );
  }
  const below = roots.dataRoot === null ? null : path.resolve(roots.dataRoot, value);
  if (below !== null && (await isThere(below))) return below;
  const beside = path.resolve(roots.configFolder, value);
  if (await isThere(beside)) return beside;
  if (below !== null) return below;
  throw new GradusError(
    "PATH_DATA_ROOT_MISSING",
    `cannot find "${value}": it lies below the data root, and none is set`,
    {
      hint: "give --data DIR or set GRADUS_DATA to the folder that holds your datasets",
    },
  );
}

async function isThere(file: string): Promise<boolean> {
  return (await kindOf(file)) !== "missing";
}
