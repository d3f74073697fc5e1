import path from "node:path";
import { expect, it } from "vitest";
import { DatasetConfig } from "../../pipelines/config.ts";
import { findDatasets } from "../../pipelines/find-datasets.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";

function dataset(changes: Readonly<Record<string, unknown>>): DatasetConfig {
  return DatasetConfig.parse({ loader: "spider", root: "./shops", split: "train", ...changes });
}

it("finds roots, licences and database folders in the order of the config", async () => {
  const folder = await shopWorkspace();
  const datasets = [
    dataset({}),
    dataset({ license: "CC0-1.0", root: "sub/spider", corrections: ["./a.jsonl", "b.jsonl"] }),
  ];
  const roots = { dataRoot: "/data", configFolder: folder, runsFolder: path.join(folder, "runs") };
  const found = await findDatasets(datasets, createPlugFinder(), roots);
  expect(found.roots).toEqual([path.join(folder, "shops"), "/data/sub/spider"]);
  expect(found.corrections).toEqual([[], [path.join(folder, "a.jsonl"), "/data/b.jsonl"]]);
  expect(found.licenses).toEqual(["CC-BY-SA-4.0", "CC0-1.0"]);
  expect(found.databaseFolders[0]).toBe(path.join(folder, "shops/database"));
  expect(found.databaseFolders).toContain("/data/sub/spider/database");
});

it("refuses an unknown loader, and a path below a data root that is not set", async () => {
  const roots = { dataRoot: null, configFolder: "/configs", runsFolder: "runs" };
  const plugs = createPlugFinder();
  await expect(findDatasets([dataset({ loader: "spidre" })], plugs, roots)).rejects.toMatchObject({
    code: "PLUG_UNKNOWN",
  });
  await expect(findDatasets([dataset({ root: "spider" })], plugs, roots)).rejects.toMatchObject({
    code: "PATH_DATA_ROOT_MISSING",
  });
});
