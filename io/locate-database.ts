import { existsSync } from "node:fs";
import path from "node:path";

/**
 * A function from a database id to its file: `X/X.sqlite` in the first of `folders` that has it, else
 * `null`. Ids that are not plain names (a separator, `..`) have no file. Remembers what it found.
 */
export function databaseLocator(folders: readonly string[]): (databaseId: string) => string | null {
  const known = new Map<string, string | null>();
  return (databaseId) => {
    let found = known.get(databaseId);
    if (found === undefined) {
      found = locate(folders, databaseId);
      known.set(databaseId, found);
    }
    return found;
  };
}

function locate(folders: readonly string[], databaseId: string): string | null {
  if (/[/\\\0]/.test(databaseId) || databaseId === ".." || databaseId === ".") return null;
  for (const folder of folders) {
    const file = path.join(folder, databaseId, `${databaseId}.sqlite`);
    if (existsSync(file)) return file;
  }
  return null;
}
