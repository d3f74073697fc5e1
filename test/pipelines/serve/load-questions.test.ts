import { beforeAll, describe, expect, it } from "vitest";
import { DatasetConfig } from "../../../pipelines/config.ts";
import type { PathRoots } from "../../../pipelines/paths.ts";
import { createPlugFinder } from "../../../pipelines/plugs.ts";
import { loadQuestions } from "../../../pipelines/serve/load-questions.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let roots: PathRoots;

beforeAll(async () => {
  roots = { dataRoot: null, configFolder: ".", runsFolder: await temporaryFolder() };
});

describe("loadQuestions", () => {
  it("gives the examples of all datasets in order, with their schemas, up to each limit", async () => {
    const datasets = [
      DatasetConfig.parse({ loader: "spider", root: "sample:spider", split: "train", limit: 2 }),
      DatasetConfig.parse({ loader: "bird", root: "sample:bird", split: "train", limit: 1 }),
    ];
    const questions = await loadQuestions(datasets, createPlugFinder(), roots);
    expect(questions.map(({ example }) => example.dataset.name)).toEqual(["spider", "spider", "bird"]);
    expect(questions[0]?.example.question).toBe("How many ports are on record?");
    expect(questions[0]?.schema.tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ports", "vessels"]),
    );
    for (const { example, schema } of questions) expect(schema.databaseId).toBe(example.databaseId);
  });

  it("needs a loader and a folder that are there", async () => {
    const unknown = DatasetConfig.parse({ loader: "spyder", root: "sample:spider", split: "train" });
    await expect(loadQuestions([unknown], createPlugFinder(), roots)).rejects.toMatchObject({
      code: "PLUG_UNKNOWN",
    });
    const lost = DatasetConfig.parse({ loader: "spider", root: "spider", split: "train" });
    await expect(loadQuestions([lost], createPlugFinder(), roots)).rejects.toMatchObject({
      code: "PATH_DATA_ROOT_MISSING",
    });
  });
});
