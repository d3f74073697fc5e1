import { expect, it } from "vitest";
import { parse } from "yaml";
import { recipeLock } from "../../curation/recipe-lock.ts";
import openrlhf from "../../curation/exporters/openrlhf.ts";
import type { ShardForm } from "../../core/shard.ts";
import { NO_FACTS, openForm } from "../interop/fixture-rows.ts";

it("locks what made a shard, and where its prompts come from", () => {
  const none = { rows: 0, simulated: 0, refused: 0 };
  const file = { exporter: "openrlhf", split: "train" as const, path: "train.jsonl", rows: 2, bytes: 9 };
  const text = recipeLock({
    datasetName: "toy",
    license: "cc0-1.0",
    recipe: { seed: 1 },
    sources: [],
    funnel: [],
    exporter: openrlhf,
    exporterOptions: {},
    form: openForm(openrlhf, {}, NO_FACTS) as ShardForm,
    prompts: { rollouts: 2, rollouts_differ: 0, no_rollout: 0 },
    files: [{ ...file, sha256: "0".repeat(64) }],
    splits: { train: { ...none, rows: 2 }, validation: none },
  });
  expect(parse(text)).toEqual({
    gradus: 1,
    name: "toy",
    exporter: { id: "openrlhf", version: 1, options: {} },
    license: "cc0-1.0",
    sources: [],
    rows: { train: { rows: 2, simulated: 0, refused: 0 }, validation: none },
    prompts: { rollouts: 2, rollouts_differ: 0, no_rollout: 0 },
    funnel: [],
    lossy: openrlhf.lossy,
    files: [{ path: "train.jsonl", rows: 2, bytes: 9, sha256: "0".repeat(64) }],
    recipe: { seed: 1 },
  });
});
