import { existsSync } from "node:fs";
import path from "node:path";
import { keyOf } from "../core/key.ts";
import { digestFile } from "./files.ts";
import { testSuiteNeighbours } from "./locate-test-suite.ts";

/** Endings of the files beside a database that hold a part of its content. */
const JOURNALS = ["-wal", "-journal"];

/**
 * A digest of the names and bytes of the other files of the test suite that a main file belongs to, journals among
 * them, as 64 hexadecimal digits; `null` when it is alone.
 */
export async function digestTestSuite(main: string): Promise<string | null> {
  const digests: Record<string, string> = {};
  for (const file of testSuiteNeighbours(main)) {
    for (const part of [file, ...JOURNALS.map((ending) => file + ending)]) {
      if (part === file || existsSync(part)) digests[path.basename(part)] = (await digestFile(part)).sha256;
    }
  }
  return Object.keys(digests).length === 0 ? null : keyOf(digests);
}
