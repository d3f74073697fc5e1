import { readdirSync } from "node:fs";
import path from "node:path";
import { databaseLocator } from "./locate-database.ts";

/** What SQLite leaves beside a file that is in use. */
const SIDE_FILE = /-(?:wal|shm|journal)$/;

/**
 * A function from a database id to the files of its test suite: `X/X.sqlite` as {@link databaseLocator} finds
 * it, then the other files of its folder with `.sqlite` in their names, in the order of these names. None for
 * an id without a main file. Remembers what it found.
 */
export function testSuiteLocator(folders: readonly string[]): (databaseId: string) => readonly string[] {
  const locate = databaseLocator(folders);
  const known = new Map<string, readonly string[]>();
  return (databaseId) => {
    let found = known.get(databaseId);
    if (found === undefined) {
      const main = locate(databaseId);
      found = main === null ? [] : [main, ...testSuiteNeighbours(main)];
      known.set(databaseId, found);
    }
    return found;
  };
}

/** The other files of the test suite that a main file `X/X.sqlite` belongs to, in the order of their names. */
export function testSuiteNeighbours(main: string): string[] {
  const folder = path.dirname(main);
  if (path.basename(main) !== `${path.basename(folder)}.sqlite`) return [];
  return readdirSync(folder)
    .filter((name) => name.includes(".sqlite") && !SIDE_FILE.test(name) && name !== path.basename(main))
    .sort()
    .map((name) => path.join(folder, name));
}
