import path from "node:path";
import { expect, it } from "vitest";
import { carryRowsStage } from "../../curation/carry-rows.ts";
import { runStage } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { taughtRow } from "./taught-rows.ts";

it("earlier rows come first in each split, dense from 0", async () => {
  const earlier = [taughtRow("a", 0), taughtRow("b", 0, { split: "validation" })];
  const folder = await temporaryFolder({
    "rows.jsonl": earlier.map((row) => `${JSON.stringify(row)}\n`).join(""),
  });
  const rows = [taughtRow("c", 0), taughtRow("d", 1), taughtRow("e", 0, { split: "validation" })];
  const runtime = { rowsFile: path.join(folder, "rows.jsonl") };
  const out = await runStage(carryRowsStage, { rows }, {}, { runtime });
  expect(out.rows.map(({ example, split, index }) => `${example.sourceId} ${split} ${index}`)).toEqual([
    "a train 0",
    "c train 1",
    "d train 2",
    "b validation 0",
    "e validation 1",
  ]);
});
