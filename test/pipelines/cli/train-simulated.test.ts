import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("train-simulated"));

it("wrong usage exits with 2", async () => {
  await expectUsageError(["train-simulated"], "--shards is missing");
  await expectUsageError(["train-simulated", "--shards", "x", "--competence", "2"], "from 0 to 1");
});

it("prints the model that learned a round's shards", async () => {
  const shards = await temporaryFolder();
  mkdirSync(path.join(shards, "messages-sft"));
  writeFileSync(path.join(shards, "messages-sft/train-00000-of-00001.jsonl"), '{"example_id":"a"}\n');
  const env = { GRADUS_SHARDS: shards, GRADUS_MODEL_NAME: "s@0.5" };
  const finished = await runGradus(["train-simulated"], { env });
  expect(JSON.parse(finished.stdout)).toMatchObject({ name: "s@0.512", competence: 0.512 });
});
