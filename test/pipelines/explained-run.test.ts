import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openLedger } from "../../io/ledger.ts";
import { artifactsOfRun, ledgerRows } from "../../pipelines/explained-run.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { readRunConfig, runTrainingSet } from "../../pipelines/run-training-set.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";
import { fakeId, identityFor, replyOf, trajectoryOf } from "../io/fixtures/ledger-samples.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("artifactsOfRun", () => {
  let runs: string;

  beforeAll(async () => {
    const folder = await shopWorkspace();
    runs = path.join(folder, "runs");
    await runTrainingSet(await readRunConfig(path.join(folder, "run.yaml")), {
      roots: { dataRoot: null, configFolder: folder, runsFolder: runs },
      until: "rates",
      dryRun: false,
      workers: 1,
      reporter: SILENT_REPORTER,
      signal: new AbortController().signal,
    });
  });

  it("gives the finished steps in their order", async () => {
    expect([...(await artifactsOfRun(runs, "shops")).keys()].slice(0, 3)).toEqual([
      "load",
      "profile",
      "import",
    ]);
  });

  it.each([
    ["another command's", '{"command":"evaluate"}'],
    ["another version's", '{"gradus":1,"name":"shops","unknown":true}'],
  ])("does so where the recipe is %s", async (_what, recipe) => {
    writeFileSync(path.join(runs, "shops", "recipe.lock.json"), recipe);
    const steps = [...(await artifactsOfRun(runs, "shops")).keys()];
    expect(steps.slice(0, 4)).toEqual(["load", "profile", "import", "score"]);
    expect(steps).toContain("rates");
  });

  it("names the runs that there are", async () => {
    await expect(artifactsOfRun(runs, "other")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });
});

describe("ledgerRows", () => {
  it("tells of finished, open and discarded samples by the beginning of their id", async () => {
    const folder = await temporaryFolder();
    const [done, open, dropped] = [fakeId("a", 1), fakeId("b", 2), fakeId("c", 3)];
    const exampleId = fakeId("e", 1);
    const ledger = await openLedger(path.join(folder, "ledger.sqlite"));
    for (const [index, id] of [done, open, dropped].entries()) {
      await ledger.openSample(id, identityFor(exampleId, index));
      await ledger.commitReply({ sampleId: id, turn: 0, requestHash: "h", reply: replyOf("a reply") });
    }
    await ledger.finish(done, { kind: "finished", trajectory: trajectoryOf(done, "a reply") });
    await ledger.finish(dropped, { kind: "discarded", reason: "surplus" });
    await ledger.close();
    expect(await ledgerRows(folder, done.slice(0, 8))).toEqual([
      { step: "ledger", port: "trajectories", row: trajectoryOf(done, "a reply") },
    ]);
    const about = { exampleId, round: 0, turns: 1 };
    expect(await ledgerRows(folder, open.slice(0, 8))).toEqual([
      { step: "ledger", port: "open", row: { id: open, sampleIndex: 1, ...about } },
    ]);
    expect(await ledgerRows(folder, dropped.slice(0, 8))).toEqual([
      {
        step: "ledger",
        port: "discarded",
        row: { id: dropped, sampleIndex: 2, ...about, reason: "surplus" },
      },
    ]);
    expect(await ledgerRows(folder, "")).toHaveLength(3);
  });

  it("is empty where nothing was sampled", async () => {
    expect(await ledgerRows(await temporaryFolder(), "")).toEqual([]);
  });
});
