import { stringify } from "yaml";
import type { ShardContent, ShardFacts, ShardSideFile } from "../core/shard.ts";

/** UTF-8 bytes a token is taken to have at least, over a whole prompt or row: texts of schemas and SQL have 2.5 to 4. */
export const BYTES_PER_TOKEN = 2;
/** Lengths are rounded up to a multiple of this. */
const STEP = 256;
/** Tokens of a chat template around each message, at most. */
const TEMPLATE_TOKENS = 16;

/** Lengths that no row of a shard exceeds, in tokens, estimated from bytes. */
export interface ShardLengths {
  readonly prompt: number;
  readonly row: number;
}

/** {@link ShardLengths} of what was written: bytes over {@link BYTES_PER_TOKEN}, and a template's own tokens. */
export function shardLengths({ longest }: Pick<ShardContent, "longest">): ShardLengths {
  const { promptBytes, rowBytes, turns } = longest;
  return { prompt: tokens(promptBytes, 4), row: tokens(rowBytes, 4 + 2 * turns) };
}

function tokens(bytes: number, messages: number): number {
  return Math.ceil((bytes / BYTES_PER_TOKEN + messages * TEMPLATE_TOKENS) / STEP) * STEP;
}

function lengthNote(name: string, value: number, bytes: number): string {
  return `${name} ${value}: the longest has ${bytes} bytes, taken as ${BYTES_PER_TOKEN} bytes a token (an estimate on the safe side; count with your tokenizer to lower it)`;
}

/** A paper's numbers for GRPO; `not given` marks where a value is ours. */
interface GrpoRecipe {
  readonly scaffolds: readonly string[];
  /** `key=value` for verl, and where a value comes from if the paper does not give it. */
  readonly settings: readonly (readonly [string, string | number, string?])[];
  readonly responseTokens: number;
  readonly turns: number;
  readonly notes: readonly string[];
}

/** @paper training rows of DualSQL, SQL-Trail, ReToolSQL and MTSQL-R1 */
const GRPO: Readonly<Record<string, GrpoRecipe>> = {
  dualsql: {
    scaffolds: ["dualsql-sql", "dualsql-generator", "dualsql-linker"],
    settings: [
      ["actor_rollout_ref.actor.optim.lr", "2e-6"],
      ["actor_rollout_ref.actor.optim.lr_warmup_steps", 20],
      ["data.train_batch_size", 256],
      ["actor_rollout_ref.rollout.n", 16],
      ["actor_rollout_ref.rollout.temperature", 1.0],
      ["actor_rollout_ref.rollout.top_k", 20],
      ["actor_rollout_ref.rollout.top_p", 0.99],
      ["actor_rollout_ref.actor.loss_agg_mode", "token-mean"],
      ["actor_rollout_ref.actor.clip_ratio_low", 0.2, "not given: clip-higher without numbers"],
      ["actor_rollout_ref.actor.clip_ratio_high", 0.28, "not given: clip-higher without numbers"],
      ["trainer.total_training_steps", 100, "4B; 300 for 8B"],
    ],
    responseTokens: 32_768,
    turns: 10,
    notes: [
      "masked importance sampling and the asynchronous chain of both agents are not settings of verl's script",
    ],
  },
  "sql-trail": {
    scaffolds: ["sql-trail"],
    settings: [
      ["actor_rollout_ref.actor.optim.lr", "1e-6"],
      ["data.train_batch_size", 128],
      ["actor_rollout_ref.rollout.n", 6],
      ["actor_rollout_ref.rollout.temperature", 1.0],
      ["actor_rollout_ref.rollout.top_p", 0.99],
      ["actor_rollout_ref.actor.use_kl_loss", "False"],
      ["actor_rollout_ref.actor.clip_ratio_low", 0.2, "not given: clip-higher without numbers"],
      ["actor_rollout_ref.actor.clip_ratio_high", 0.28, "not given: clip-higher without numbers"],
      ["trainer.total_training_steps", 108],
    ],
    responseTokens: 16_384,
    turns: 10,
    notes: ["response length: not given"],
  },
  "retool-sql": {
    scaffolds: ["retool-sql", "retool-sql-teacher"],
    settings: [
      ["actor_rollout_ref.actor.optim.lr", "1e-6"],
      ["actor_rollout_ref.actor.optim.lr_warmup_steps_ratio", 0.03],
      ["actor_rollout_ref.actor.grad_clip", 1.0],
      ["data.train_batch_size", 192],
      ["actor_rollout_ref.rollout.n", 16],
      ["actor_rollout_ref.rollout.temperature", 1.2],
      ["actor_rollout_ref.rollout.top_p", 0.95],
      ["actor_rollout_ref.actor.use_kl_loss", "True"],
      [
        "actor_rollout_ref.actor.kl_loss_coef",
        0.005,
        "steps 0-40; 0.001 to step 80, then 0: resume with the next value",
      ],
      ["trainer.total_epochs", 1],
    ],
    responseTokens: 24_576,
    turns: 8,
    notes: [
      "the context of 24,576 tokens is prompt and response together in the paper: here the response alone may have it",
      "dynamic sampling (groups of equal rewards are replaced): run with verl's DAPO recipe and algorithm.filter_groups",
    ],
  },
  "mtsql-r1": {
    scaffolds: ["mtsql-r1"],
    settings: [
      ["actor_rollout_ref.actor.optim.lr", "1e-6"],
      ["data.train_batch_size", 256],
      ["actor_rollout_ref.rollout.n", 5],
    ],
    responseTokens: 8_000,
    turns: 4,
    notes: ["the paper's prompt length is 4,000 tokens: raised where this shard has longer prompts"],
  },
};

/** A verl GRPO script for each paper whose scaffold made the rows; for all papers where none did. */
export function verlGrpoScripts(content: ShardContent, facts: ShardFacts): ShardSideFile[] {
  return chosen(GRPO, content.scaffolds).map(([paper, recipe]) => ({
    path: `launch/verl-grpo-${paper}.sh`,
    text: verlScript(paper, recipe, { content, facts }),
  }));
}

function chosen<R extends { readonly scaffolds: readonly string[] }>(
  recipes: Readonly<Record<string, R>>,
  scaffolds: readonly string[],
): [string, R][] {
  const all = Object.entries(recipes);
  const fitting = all.filter(([, recipe]) => recipe.scaffolds.some((id) => scaffolds.includes(id)));
  return fitting.length === 0 ? all : fitting;
}

type Setting = readonly [string, string | number, string?];

function verlSettings(
  recipe: GrpoRecipe,
  { content, facts, promptTokens }: { content: ShardContent; facts: ShardFacts; promptTokens: number },
): readonly Setting[] {
  const filesOf = (split: string): string =>
    content.files
      .filter((file) => file.split === split)
      .map(({ path }) => `'$SHARDS/${path}'`)
      .join(",");
  return [
    ["algorithm.adv_estimator", "grpo"],
    ["data.train_files", `"[${filesOf("train")}]"`],
    ["data.val_files", `"[${filesOf(content.rows.validation === 0 ? "train" : "validation")}]"`],
    ["data.shuffle", "False", "the shard is in curriculum order"],
    ["data.return_raw_chat", "True"],
    ["data.max_prompt_length", promptTokens],
    ["data.max_response_length", recipe.responseTokens],
    ["data.truncation", "error", "nothing is cut in silence"],
    ["actor_rollout_ref.model.path", '"$MODEL"'],
    ["actor_rollout_ref.rollout.name", '"${ENGINE:-vllm}"'],
    ["actor_rollout_ref.rollout.max_model_len", promptTokens + recipe.responseTokens],
    ...recipe.settings,
    ...(facts.toolNames.length === 0
      ? []
      : ([
          ["actor_rollout_ref.rollout.multi_turn.enable", "True"],
          ["actor_rollout_ref.rollout.multi_turn.max_assistant_turns", recipe.turns],
          [
            "actor_rollout_ref.rollout.multi_turn.max_tool_response_length",
            65_536,
            "characters; its default cuts at 256",
          ],
        ] as const)),
    ...(facts.tools.length === 0
      ? []
      : ([["actor_rollout_ref.rollout.multi_turn.tool_config_path", '"$SHARDS/verl-tools.yaml"']] as const)),
    ["reward.custom_reward_function.path", '"$REWARD"'],
  ];
}

function verlScript(
  paper: string,
  recipe: GrpoRecipe,
  { content, facts }: { readonly content: ShardContent; readonly facts: ShardFacts },
): string {
  const { prompt } = shardLengths(content);
  const promptTokens = paper === "mtsql-r1" ? Math.max(4_000, prompt) : prompt;
  const rows = content.rows.train;
  const batch = recipe.settings.find(([key]) => key === "data.train_batch_size")?.[1];
  const settings = verlSettings(recipe, { content, facts, promptTokens });
  const small = typeof batch === "number" && rows < batch;
  return [
    "#!/usr/bin/env bash",
    `# GRPO with verl on this shard: the hyper-parameters of ${paper}.`,
    `# ${lengthNote("data.max_prompt_length", promptTokens, content.longest.promptBytes)}.`,
    ...recipe.notes.map((note) => `# ${note}.`),
    ...(small
      ? [`# The shard has ${rows} rows, fewer than one batch: lower data.train_batch_size to try it.`]
      : []),
    ...settings.flatMap(([key, , note]) => (note === undefined ? [] : [`# ${key}: ${note}.`])),
    "# MODEL: folder of the model. REWARD: Python file with compute_score.",
    "set -euo pipefail",
    'SHARDS="$(cd "$(dirname "$0")/.." && pwd)"',
    ': "${MODEL:?name the folder of the model}" "${REWARD:?name the file with compute_score}"',
    "exec python3 -m verl.trainer.main_ppo \\",
    ...settings.map(([key, value]) => `  ${key}=${value} \\`),
    '  "$@"',
    "",
  ].join("\n");
}

/** A paper's numbers for SFT. */
interface SftRecipe {
  readonly scaffolds: readonly string[];
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly notes: readonly string[];
}

/** @paper training rows of SQL-Trail and MTSQL-R1 */
const SFT: Readonly<Record<string, SftRecipe>> = {
  "sql-trail": {
    scaffolds: ["sql-trail"],
    settings: {
      per_device_train_batch_size: 1,
      gradient_accumulation_steps: 128,
      num_train_epochs: 2,
      learning_rate: 1e-5,
      adam_beta1: 0.9,
      adam_beta2: 0.95,
      weight_decay: 0.01,
      warmup_ratio: 0.1,
      max_grad_norm: 1,
      lr_scheduler_type: "cosine",
    },
    notes: ["the batch of 128 is for one device: divide gradient_accumulation_steps by the number of yours"],
  },
  "mtsql-r1": {
    scaffolds: ["mtsql-r1"],
    settings: {
      per_device_train_batch_size: 2,
      learning_rate: 5e-6,
      lr_scheduler_type: "cosine",
      num_train_epochs: 3,
    },
    notes: ["epochs: not given in the paper"],
  },
};

/** A LLaMA-Factory config for each paper that gives numbers for SFT and whose scaffold made the rows; else for all. */
export function llamaFactoryConfigs(
  content: ShardContent,
  {
    dataset,
    validation,
    masksHistory,
  }: { dataset: string; validation: string | null; masksHistory: boolean },
): ShardSideFile[] {
  const { row } = shardLengths(content);
  return chosen(SFT, content.scaffolds).map(([paper, { settings, notes }]) => ({
    path: `launch/llama-factory-sft-${paper}.yaml`,
    text: [
      `# SFT with LLaMA-Factory on this shard, from its folder: llamafactory-cli train launch/llama-factory-sft-${paper}.yaml`,
      `# The hyper-parameters of ${paper}; set the model, and the template that belongs to it.`,
      `# ${lengthNote("cutoff_len", row, content.longest.rowBytes)}. What is longer loses its end: its answer.`,
      ...notes.map((note) => `# ${note}.`),
      stringify({
        stage: "sft",
        do_train: true,
        finetuning_type: "full",
        model_name_or_path: "Qwen/Qwen2.5-Coder-7B-Instruct",
        template: "qwen",
        dataset_dir: ".",
        dataset,
        ...(validation === null ? {} : { eval_dataset: validation }),
        cutoff_len: row,
        ...(masksHistory ? { mask_history: true } : {}),
        train_on_prompt: false,
        bf16: true,
        output_dir: `saves/${dataset}`,
        ...settings,
      }),
    ].join("\n"),
  }));
}
