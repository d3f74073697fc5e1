import { expect, it } from "vitest";
import { defineLoader } from "../../core/loader.ts";

it("a loader is marked by its kind and keeps its parts", async () => {
  const loader = defineLoader({
    id: "nothing",
    version: 4,
    splits: ["train"],
    license: "CC0-1.0",
    files: () => Promise.resolve([]),
    async *load() {},
    schemas: () => Promise.resolve([]),
    databaseFolders: ({ root }) => [`${root}/database`],
  });
  expect(loader).toMatchObject({ kind: "loader", id: "nothing", version: 4, license: "CC0-1.0" });
  expect(loader.databaseFolders({ root: "/data", split: "train", release: null })).toEqual([
    "/data/database",
  ]);
});
