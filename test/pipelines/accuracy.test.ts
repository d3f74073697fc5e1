import { expect, it } from "vitest";
import { ArtifactStore } from "../../io/artifact-store.ts";
import { accuracyOf } from "../../pipelines/accuracy.ts";
import { accuracyRow } from "../fakes/accuracy-row.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("the accuracy table is what the accuracy step wrote, and empty before it ran", async () => {
  const store = new ArtifactStore(await temporaryFolder());
  expect(await accuracyOf({ steps: [], artifacts: new Map() }, store)).toEqual([]);
  const parts = { stage: "aggregate", version: 1, seed: 1, options: {}, plugs: [], inputs: {}, sources: [] };
  const unfinished = await store.begin("accuracy", parts, ["table"]);
  const rows = [accuracyRow({}), accuracyRow({ group: "hardness:easy", n: 0, mean: null })];
  for (const row of rows) await unfinished.add("table", row, undefined);
  const artifacts = new Map([["accuracy", await unfinished.seal()]]);
  expect(await accuracyOf({ steps: [], artifacts }, store)).toEqual(rows);
});
