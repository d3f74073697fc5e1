import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { llamaFactoryConfigs, shardLengths, verlGrpoScripts } from "../../curation/launch-recipes.ts";
import { NO_FACTS, SQL_TOOL } from "../interop/fixture-rows.ts";

const content = {
  datasetName: "d",
  files: [
    { split: "train" as const, path: "train-00000-of-00002.parquet" },
    { split: "train" as const, path: "train-00001-of-00002.parquet" },
    { split: "validation" as const, path: "validation-00000-of-00001.parquet" },
  ],
  rows: { train: 1000, validation: 10 },
  longest: { promptBytes: 20_000, rowBytes: 30_000, turns: 5 },
  scaffolds: ["dualsql-sql"],
};

describe("shardLengths", () => {
  it("takes two bytes a token, adds the template's, and rounds up", () => {
    expect(shardLengths(content)).toEqual({ prompt: 10_240, row: 15_360 });
  });
});

describe("verlGrpoScripts", () => {
  it("writes the hyper-parameters of the paper whose scaffold made the rows", () => {
    const [script, ...others] = verlGrpoScripts(content, {
      ...NO_FACTS,
      toolNames: ["execute_sql"],
      tools: [SQL_TOOL],
    });
    expect(others).toEqual([]);
    expect(script?.path).toBe("launch/verl-grpo-dualsql.sh");
    const text = script?.text ?? "";
    for (const setting of [
      "data.train_files=\"['$SHARDS/train-00000-of-00002.parquet','$SHARDS/train-00001-of-00002.parquet']\"",
      "data.max_prompt_length=10240",
      "data.max_response_length=32768",
      "data.truncation=error",
      "actor_rollout_ref.actor.optim.lr=2e-6",
      "data.train_batch_size=256",
      "actor_rollout_ref.rollout.n=16",
      "actor_rollout_ref.rollout.top_k=20",
      'actor_rollout_ref.rollout.multi_turn.tool_config_path="$SHARDS/verl-tools.yaml"',
    ]) {
      expect(text).toContain(`  ${setting} \\\n`);
    }
    expect(text).toContain("the longest has 20000 bytes, taken as 2 bytes a token");
  });

  it("writes all papers' for rows of none, without tools where there are none", () => {
    const scripts = verlGrpoScripts({ ...content, scaffolds: ["single-turn"] }, NO_FACTS);
    expect(scripts.map(({ path }) => path)).toEqual([
      "launch/verl-grpo-dualsql.sh",
      "launch/verl-grpo-sql-trail.sh",
      "launch/verl-grpo-retool-sql.sh",
      "launch/verl-grpo-mtsql-r1.sh",
    ]);
    for (const { text } of scripts) expect(text).not.toContain("multi_turn");
  });
});

describe("llamaFactoryConfigs", () => {
  it("writes the papers' numbers with a length that holds every row", () => {
    const names = { dataset: "d", validation: "d_validation", masksHistory: false };
    const [config] = llamaFactoryConfigs({ ...content, scaffolds: ["sql-trail"] }, names);
    expect(config?.path).toBe("launch/llama-factory-sft-sql-trail.yaml");
    expect(parse(config?.text ?? "")).toMatchObject({
      dataset: "d",
      eval_dataset: "d_validation",
      cutoff_len: 15_360,
      learning_rate: 1e-5,
      num_train_epochs: 2,
      adam_beta2: 0.95,
      warmup_ratio: 0.1,
    });
  });
});
