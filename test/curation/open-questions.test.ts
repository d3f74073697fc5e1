import path from "node:path";
import { expect, it } from "vitest";
import { openQuestionsStage } from "../../curation/open-questions.ts";
import { runStage } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { example } from "./sample-rows.ts";

it("questions with a kept row leave", async () => {
  const folder = await temporaryFolder({
    "rows.jsonl": `${JSON.stringify({ example: example("a"), index: 0 })}\n`,
  });
  const runtime = { rowsFile: path.join(folder, "rows.jsonl") };
  const out = await runStage(openQuestionsStage, { examples: [example("a"), example("b")] }, {}, { runtime });
  expect(out.open.map(({ sourceId }) => sourceId)).toEqual(["b"]);
  expect(out.covered).toEqual([{ exampleId: example("a").id }]);
});
