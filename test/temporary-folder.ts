import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];

afterAll(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** An empty folder, or one with the given files, that lives as long as the test file. */
export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "gradus-test-"));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}

/** Every file below a folder with its text, by relative path with `/`, sorted; empty folders do not show. */
export async function filesBelow(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    found[path.relative(folder, file).split(path.sep).join("/")] = await readFile(file, "latin1");
  }
  return Object.fromEntries(Object.entries(found).sort(([left], [right]) => (left < right ? -1 : 1)));
}
