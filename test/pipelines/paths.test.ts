import path from "node:path";
import { describe, expect, it } from "vitest";
import { kindOf, listFolder } from "../../io/files.ts";
import { resolvePath } from "../../pipelines/paths.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ROOTS = { dataRoot: "/data", configFolder: "/home/me/configs", runsFolder: "/home/me/runs" };

describe("resolvePath", () => {
  it.each([
    ["/abs/spider", "/abs/spider"],
    ["./spider", "/home/me/configs/spider"],
    ["../spider", "/home/me/spider"],
    [".", "/home/me/configs"],
    ["..", "/home/me"],
    ["spider", "/data/spider"],
    ["spider/dev", "/data/spider/dev"],
    [".hidden", "/data/.hidden"],
  ])("takes %s for %s", async (value, expected) => {
    expect(await resolvePath(value, ROOTS)).toBe(expected);
  });

  it("says how to set the data root when it needs one", async () => {
    await expect(resolvePath("spider", { ...ROOTS, dataRoot: null })).rejects.toMatchObject({
      code: "PATH_DATA_ROOT_MISSING",
      message: 'cannot find "spider": it lies below the data root, and none is set',
      hint: "give --data DIR or set GRADUS_DATA to the folder that holds your datasets",
    });
    expect(await resolvePath("./spider", { ...ROOTS, dataRoot: null })).toBe("/home/me/configs/spider");
  });

  it("takes what is beside the config where the data root has nothing of the name", async () => {
    const folder = await temporaryFolder({
      "home/spider/dev.json": "[]",
      "home/both/a": "",
      "data/both/a": "",
    });
    const roots = { ...ROOTS, dataRoot: path.join(folder, "data"), configFolder: path.join(folder, "home") };
    expect(await resolvePath("spider", roots)).toBe(path.join(folder, "home/spider"));
    expect(await resolvePath("both", roots)).toBe(path.join(folder, "data/both"));
    expect(await resolvePath("spider", { ...roots, dataRoot: null })).toBe(path.join(folder, "home/spider"));
    expect(await resolvePath("neither", roots)).toBe(path.join(folder, "data/neither"));
  });

  it("lays the sample out below the runs", async () => {
    const runsFolder = path.join(await temporaryFolder(), "runs");
    const spider = await resolvePath("sample:spider", { ...ROOTS, runsFolder });
    expect(path.dirname(path.dirname(spider))).toBe(path.join(runsFolder, ".sample"));
    expect(await kindOf(path.join(spider, "train_spider.json"))).toBe("file");
    expect(await listFolder(path.join(spider, "database"))).toEqual([
      "island_ferries",
      "recording_studio",
      "seed_library",
    ]);
    expect(await resolvePath("sample:bird", { ...ROOTS, runsFolder })).toBe(
      path.join(path.dirname(spider), "bird"),
    );
  });
});
