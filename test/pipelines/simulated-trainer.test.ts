import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { trainSimulated } from "../../pipelines/simulated-trainer.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("competence grows with the questions learned, and the revision names the shards", async () => {
  const shards = await temporaryFolder();
  mkdirSync(path.join(shards, "messages-sft"));
  const file = path.join(shards, "messages-sft/train-00000-of-00001.jsonl");
  const rows = Array.from({ length: 20 }, (_, index) => `{"example_id":"${index}"}\n`);
  writeFileSync(file, rows.join(""));
  const first = await trainSimulated({ shards, name: "s@0.6", competence: 0.6 });
  // Half of the half of what is lacking: 0.6 + 0.4 * 0.25.
  expect(first).toMatchObject({ competence: 0.7, name: "s@0.7" });
  expect(first.revision).toMatch(/^[0-9a-f]{12}$/);
  writeFileSync(file, [...rows, ...rows].join(""));
  const twice = await trainSimulated({ shards, name: "s", competence: 0.6 });
  expect(twice.competence).toBe(0.7);
  expect(twice.revision).not.toBe(first.revision);
  await expect(
    trainSimulated({ shards: path.join(shards, "none"), name: "s", competence: 0 }),
  ).rejects.toMatchObject({
    code: "SIMULATED_TRAINING_EMPTY",
  });
});
