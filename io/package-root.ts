import path from "node:path";
import { fileURLToPath } from "node:url";
import { GradusError } from "../core/errors.ts";
import { kindOf, readText } from "./files.ts";

/**
 * The folder of the gradus package that this code belongs to, from source or from `dist/`.
 * @throws PACKAGE_BROKEN when there is none above.
 */
export async function packageRoot(): Promise<string> {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (path.dirname(folder) !== folder) {
    const file = path.join(folder, "package.json");
    if (
      (await kindOf(file)) === "file" &&
      (JSON.parse(await readText(file)) as { name?: string }).name === "gradus"
    ) {
      return folder;
    }
    folder = path.dirname(folder);
  }
  throw new GradusError("PACKAGE_BROKEN", "cannot find the package of gradus above its own code", {
    hint: "install the package again",
  });
}

/** The version in package.json. */
export async function packageVersion(): Promise<string> {
  const text = await readText(path.join(await packageRoot(), "package.json"));
  return (JSON.parse(text) as { version: string }).version;
}
