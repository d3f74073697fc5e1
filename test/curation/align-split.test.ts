import path from "node:path";
import { expect, it } from "vitest";
import { alignSplitStage } from "../../curation/align-split.ts";
import { runStage } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { kept, split } from "./sample-rows.ts";

it("databases stay on the side that they are on, unknown ones are train", async () => {
  const inputs = {
    kept: [kept("a", 0), kept("b", 1, { databaseId: "seeds" }), kept("c", 2, { databaseId: "new" })],
    split: [split("z", 0, { databaseId: "seeds", split: "validation" })],
  };
  const { examples } = await runStage(alignSplitStage, inputs, {});
  expect(examples.map((row) => row.split)).toEqual(["train", "validation", "train"]);
  const first = split("y", 0, { split: "validation" });
  const folder = await temporaryFolder({ "examples.jsonl": `${JSON.stringify(first)}\n` });
  const runtime = { splitFile: path.join(folder, "examples.jsonl") };
  const later = await runStage(alignSplitStage, inputs, {}, { runtime });
  expect(later.examples.map((row) => row.split)).toEqual(["validation", "train", "train"]);
});
