import path from "node:path";
import { expect, it } from "vitest";
import { parseRunConfig } from "../../pipelines/config.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { continueRounds } from "../../pipelines/rounds.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("a run of the plain selection has no rounds", async () => {
  const folder = await temporaryFolder();
  const config = parseRunConfig(
    {
      gradus: 1,
      name: "plain",
      datasets: [{ loader: "spider", root: "sample:spider", split: "train" }],
      answers: { import: [{ model: { name: "m" }, files: ["a.txt"] }] },
    },
    "plain.yaml",
  );
  const options = {
    roots: { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") },
    until: null,
    dryRun: false,
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  };
  await expect(continueRounds({ config, options, model: null, all: false })).rejects.toMatchObject({
    code: "ROUND_STRATEGY",
  });
});
