import path from "node:path";
import { expect, it } from "vitest";
import { digestTestSuite } from "../../io/digest-test-suite.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function digestOf(files: Readonly<Record<string, string>>): Promise<string | null> {
  const root = await temporaryFolder(files);
  return digestTestSuite(path.join(root, "pets/pets.sqlite"));
}

it("is none for a file that is alone", async () => {
  expect(
    await digestOf({ "pets/pets.sqlite": "1", "pets/pets.sqlite-wal": "2", "pets/schema.sql": "3" }),
  ).toBe(null);
});

it("depends on the names and bytes of the other files and their journals, not on the main one", async () => {
  // printf '{"b.sqlite":"%s"}' "$(printf 2 | sha256sum | cut -c-64)" | sha256sum
  const expected = "8419b7e86d92f8cf1314a774cb487bc4dc2b8a30d09b9493e53810a808fd3c55";
  expect(await digestOf({ "pets/pets.sqlite": "1", "pets/b.sqlite": "2" })).toBe(expected);
  expect(await digestOf({ "pets/pets.sqlite": "9", "pets/b.sqlite": "2" })).toBe(expected);
  const others = [
    await digestOf({ "pets/pets.sqlite": "1", "pets/b.sqlite": "3" }),
    await digestOf({ "pets/pets.sqlite": "1", "pets/c.sqlite": "2" }),
    await digestOf({ "pets/pets.sqlite": "1", "pets/b.sqlite": "2", "pets/b.sqlite-wal": "" }),
    await digestOf({ "pets/pets.sqlite": "1", "pets/b.sqlite": "2", "pets/c.sqlite": "2" }),
  ];
  expect(new Set([expected, ...others]).size).toBe(5);
});
