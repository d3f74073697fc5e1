import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { makeProfileFolder, publishProfile, readCachedProfile } from "../../io/profile-cache.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PROFILE: DatabaseProfile = {
  databaseId: "pets",
  databaseDigest: "d1",
  tables: [],
  inferredForeignKeys: [],
  index: { names: 0, values: 0, leftOut: [] },
};

async function publish(cache: string, place: string, profile = PROFILE): Promise<DatabaseProfile> {
  const { folder, indexFile } = await makeProfileFolder(cache);
  await writeFile(indexFile, "index");
  return (await publishProfile(folder, profile, place)).profile;
}

it("what was published is read, and nothing else lies in the cache", async () => {
  const cache = await temporaryFolder();
  const place = path.join(cache, "one");
  expect(await readCachedProfile(place)).toBeNull();
  expect(await publish(cache, place)).toEqual(PROFILE);
  expect(await readCachedProfile(place)).toEqual({
    profile: PROFILE,
    indexFile: path.join(place, "search.sqlite"),
  });
  expect(await readdir(cache)).toEqual(["one"]);
});

it("a whole one of another process stays", async () => {
  const cache = await temporaryFolder();
  const place = path.join(cache, "one");
  await publish(cache, place);
  expect(await publish(cache, place, { ...PROFILE, databaseId: "late" })).toEqual(PROFILE);
  expect(await readdir(cache)).toEqual(["one"]);
});

it.each([
  ["a longer index", (place: string) => appendFile(path.join(place, "search.sqlite"), "x")],
  ["another index", (place: string) => writeFile(path.join(place, "search.sqlite"), "xndex")],
  ["half a profile", (place: string) => writeFile(path.join(place, "profile.json"), '{"profile":')],
  ["no profile", (place: string) => writeFile(path.join(place, "profile.json"), "null")],
  [
    "a changed profile",
    async (place: string) => {
      const file = path.join(place, "profile.json");
      await writeFile(file, (await readFile(file, "utf8")).replace("pets", "cats"));
    },
  ],
])("%s is damage, and is replaced", async (_, damage) => {
  const cache = await temporaryFolder();
  const place = path.join(cache, "one");
  await publish(cache, place);
  await damage(place);
  expect(await readCachedProfile(place)).toBeNull();
  expect(await publish(cache, place)).toEqual(PROFILE);
  expect((await readCachedProfile(place))?.profile).toEqual(PROFILE);
  expect(await readdir(cache)).toEqual(["one"]);
});

it("a folder that a killed process left is removed, that of a living one is not", async () => {
  const cache = await temporaryFolder();
  const [dead, living] = ["gradus-profile-4194305-abc", `gradus-profile-${process.ppid}-abc`];
  for (const name of [dead, living]) await mkdir(path.join(cache, name));
  const { folder } = await makeProfileFolder(cache);
  expect((await readdir(cache)).sort()).toEqual([path.basename(folder), living].sort());
});
