import { z } from "zod";
import { ProfileOptions } from "../core/database-profiler.ts";
import { GradusError, nearMiss } from "../core/errors.ts";
import { AnthropicModelOptions } from "../io/models/anthropic-options.ts";
import { OpenAiModelOptions } from "../io/models/openai-options.ts";
import { ExportConfig } from "./export-config.ts";
import { DeduplicateConfig, guardConfig } from "./guard-config.ts";
import { EVALUATED_ROLLOUT, EVALUATION_FIELDS } from "./evaluation-config.ts";
import { issueText } from "./issue-text.ts";
import { RewardsConfig } from "./rewards-config.ts";
import { EmbedderConfig, RoundsConfig, SftConfig, TrainerConfig } from "./self-taught-config.ts";

const Fraction = z.number().min(0).max(1);
const Millis = z.int().positive();

/** A dataset: which loader, where, which split. */
export const DatasetConfig = z.strictObject({
  loader: z.string().describe("id of a dataset loader"),
  root: z
    .string()
    .describe(
      "folder in the official layout: below the data root (--data or GRADUS_DATA), ./ beside the config, absolute, or sample:<layout>",
    ),
  split: z.string().describe("split of the dataset"),
  release: z.string().nullable().default(null).describe("release to insist on; null recognises it"),
  limit: z.int().positive().nullable().default(null).describe("only the first rows"),
  license: z.string().nullable().default(null).describe("licence of the data, SPDX; null takes the loader's"),
  maxRejectRate: Fraction.default(0).describe("share of unreadable rows above which loading fails"),
  corrections: z
    .array(z.string())
    .default([])
    .describe(
      "files of corrections (JSON Lines) to apply on load, found as root is; refused where one is stale",
    ),
});
export type DatasetConfig = z.infer<typeof DatasetConfig>;

const ModelConfig = z.strictObject({
  name: z.string().min(1),
  revision: z.string().nullable().default(null).describe("checkpoint; null takes the digest of the file"),
});

const ImportConfig = z.strictObject({
  model: ModelConfig,
  files: z.array(z.string()).min(1).describe("prediction files, one sample a question each, in order"),
  format: z.string().nullable().default(null).describe("id of a prediction format; null recognises it"),
  partial: z.boolean().default(false).describe("whether questions may be missing"),
});

/** Sampling parameters with their defaults. */
function samplingConfig(defaults: { readonly temperature: number; readonly maxTokens: number }) {
  return z
    .strictObject({
      temperature: z.number().min(0).default(defaults.temperature),
      topP: z.number().gt(0).max(1).default(1),
      topK: z.int().default(-1).describe("-1 for off"),
      maxTokens: z.int().positive().default(defaults.maxTokens).describe("completion tokens of one turn"),
      extra: z.record(z.string(), z.json()).default({}).describe("parameters that only this server knows"),
    })
    .prefault({});
}

/** Samples to take of every question. */
export const RolloutConfig = z.strictObject({
  model: z.string().describe("role of the model that answers, a key of models"),
  scaffold: z.string().describe("id of a scaffold"),
  options: z.record(z.string(), z.json()).default({}).describe("options of the scaffold"),
  samples: z.int().min(1).max(1024),
  sampling: samplingConfig({ temperature: 1, maxTokens: 2048 }),
  maxCompletionTokens: z.int().positive().nullable().default(null).describe("budget of a whole episode"),
  stopEarly: z
    .enum(["first_wrong", "first_right", "mixed"])
    .nullable()
    .default(null)
    .describe("stop sampling a question once its samples settle this; such a group has no pass rate"),
  lookahead: z
    .int()
    .positive()
    .default(4)
    .describe("samples of a question in flight while stopEarly may end it"),
});

export type RolloutConfig = z.infer<typeof RolloutConfig>;

const AnswersConfig = z
  .strictObject({
    import: z.array(ImportConfig).default([]).describe("predictions made elsewhere"),
    rollouts: z.array(RolloutConfig).default([]).describe("samples to take"),
    concurrency: z.int().positive().default(64).describe("episodes in flight"),
    round: z.int().nonnegative().default(0),
  })
  .refine((answers) => answers.import.length > 0 !== answers.rollouts.length > 0, {
    error: "give either import, with one file or more, or rollouts",
  })
  .describe("either import or rollouts");

/** Who describes tables and columns, and how it is asked. */
const DescriptionsConfig = z.strictObject({
  model: z.string().describe("role of the model that writes them, a key of models"),
  sampling: samplingConfig({ temperature: 0.3, maxTokens: 4096 }),
  columnsPerRequest: z
    .int()
    .min(1)
    .max(200)
    .default(40)
    .describe("columns of a table in one request; wider tables take several"),
  replaceExisting: z
    .boolean()
    .default(false)
    .describe("whether descriptions that the dataset brings give way"),
});

const Served = {
  name: z.string().min(1).describe("the name the server knows the model by"),
  revision: z.string().default("").describe("checkpoint: one served name can be many"),
};

/** A model by role. `client` holds the options of its client. */
export const ModelRole = z.discriminatedUnion("provider", [
  z.strictObject({ provider: z.literal("openai"), ...Served, client: z.record(z.string(), z.json()) }),
  z.strictObject({ provider: z.literal("anthropic"), ...Served, client: z.record(z.string(), z.json()) }),
  z.strictObject({
    provider: z.literal("simulated"),
    ...Served,
    competence: Fraction.default(0.6).describe("how often it is right, by and large"),
    client: z.record(z.string(), z.json()).default({}),
  }),
  z.strictObject({
    provider: z.literal("replay"),
    ...Served,
    recording: z.string().describe("file of recorded replies"),
    client: z.record(z.string(), z.json()).default({}),
  }),
]);
export type ModelRole = z.infer<typeof ModelRole>;

/** What is wrong with a role's client options; those of a local server may leave out its address. */
function clientProblems(role: ModelRole): string[] {
  const isLocal = role.provider === "simulated" || role.provider === "replay";
  const schema = role.provider === "anthropic" ? AnthropicModelOptions : OpenAiModelOptions;
  const isServed = (role.client["baseUrl"] ?? role.client["baseUrls"] ?? null) !== null;
  const given = isLocal && !isServed ? { ...role.client, baseUrl: "http://127.0.0.1/v1" } : role.client;
  const known = Object.keys(schema.shape);
  return (schema.safeParse(given).error?.issues ?? []).map((issue) => issueText(issue, known));
}

const JudgeConfig = z.strictObject({
  metrics: z.array(z.string()).min(1).default(["bird-ex"]),
  labels: z.array(z.string()).default(["spider-hardness"]),
  predictionCpuMs: Millis.default(30_000).describe("CPU milliseconds of one predicted query"),
  goldCpuMs: Millis.default(60_000).describe("CPU milliseconds of one gold query"),
  maxRows: z.int().positive().default(1_000_000),
  maxBytes: z.int().positive().default(268_435_456),
});

const BoundConfig = z.strictObject({
  models: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("models whose samples decide; null pools all"),
  settings: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("scaffolds whose samples decide; null takes all"),
  minimumN: z.int().positive().default(1).describe("scored samples needed for the decision"),
  agree: z.enum(["all", "any"]).default("all").describe("whether all settings must agree or one is enough"),
  rate: Fraction.nullable()
    .default(null)
    .describe(
      "pass rate from which a question is trivial, or up to which it is intractable; null for 1 and 0",
    ),
});

const FilterConfig = z.strictObject({
  metric: z.string().default("bird-ex"),
  also: z
    .array(z.string())
    .default([])
    .describe("further metrics by which a sample must be right to count as right"),
  trivial: BoundConfig.nullable()
    .default(BoundConfig.parse({}))
    .describe("drop what is always right; null keeps it"),
  intractable: BoundConfig.nullable()
    .default(BoundConfig.parse({}))
    .describe("drop what is never right; null keeps it"),
  dropEmptyGold: z.boolean().default(false).describe("drop questions whose gold returns nothing"),
  figures: z
    .strictObject({
      models: z.array(z.string()).min(1).nullable().default(null),
      settings: z.array(z.string()).min(1).nullable().default(null),
    })
    .prefault({})
    .describe("whose samples make the n and c that a curriculum goes by; null takes all"),
});

/** One run, as a person writes it. */
export const RunConfig = z
  .strictObject({
    gradus: z.literal(1).describe("version of this format"),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
      .describe("name of the run: its folder below runs/"),
    seed: z.int().default(1),
    datasets: z.array(DatasetConfig).min(1),
    models: z
      .record(z.string(), ModelRole)
      .default({})
      .describe("models by role: student, weak, strong, teacher"),
    answers: AnswersConfig,
    prompt: z
      .strictObject({
        dialect: z.string().default("omnisql-ddl"),
        history: z.enum(["questions", "gold"]).default("questions"),
        valuesPerColumn: z.int().min(0).max(20).default(2),
        retrievesValues: z
          .boolean()
          .default(false)
          .describe("look values up that a question seems to ask for and show them in the schema text"),
        scaffold: z
          .string()
          .default("single-turn")
          .describe("the scaffold whose opening is the prompt of RL rows"),
        options: z.record(z.string(), z.json()).default({}).describe("options of that scaffold"),
      })
      .prefault({}),
    profile: ProfileOptions.prefault({}).describe(
      "bounds of database profiles and their search indices, made where a tool or a schema text needs them",
    ),
    descriptions: DescriptionsConfig.nullable()
      .default(null)
      .describe(
        "have a model describe tables and columns that come without a description, as comments of the schema text; null asks for none",
      ),
    judge: JudgeConfig.prefault({}),
    filter: FilterConfig.prefault({}),
    deduplicate: DeduplicateConfig,
    guard: guardConfig(DatasetConfig),
    rewards: RewardsConfig,
    validation: z
      .strictObject({
        fraction: Fraction.default(0.1),
        databases: z
          .array(z.string())
          .nullable()
          .default(null)
          .describe("the databases of the validation split, the same in every round; null draws them"),
      })
      .prefault({}),
    curriculum: z
      .strictObject({
        id: z.string().default("easy-to-hard"),
        levels: z.int().min(1).max(100).default(3),
        options: z.record(z.string(), z.json()).default({}).describe("options of that curriculum"),
      })
      .prefault({}),
    sft: SftConfig.prefault({}),
    embedder: EmbedderConfig.describe("what turns rollouts into points that are clustered"),
    rounds: RoundsConfig.describe("self-taught rounds, see gradus round"),
    trainer: TrainerConfig.describe("what trains between two rounds; null where that is done by hand"),
    evaluation: z
      .strictObject({
        datasets: z.array(DatasetConfig).min(1),
        rollouts: z.array(RolloutConfig.extend(EVALUATED_ROLLOUT)).min(1),
        ...EVALUATION_FIELDS,
      })
      .nullable()
      .default(null)
      .describe("questions to answer and judge with the same models, apart from the training set"),
    export: ExportConfig,
  })
  .superRefine(({ models }, context) => {
    for (const [role, model] of Object.entries(models)) {
      for (const message of clientProblems(model)) {
        context.addIssue({ code: "custom", path: ["models", role, "client"], message });
      }
    }
  })
  .refine(({ datasets }) => new Set(datasets.map(placeOf)).size === datasets.length, {
    path: ["datasets"],
    error: "one split of one dataset is listed twice",
  })
  .refine((config) => rolloutsOf(config).every(({ model }) => model in config.models), {
    path: ["models"],
    error: "a rollout names a role that models does not have",
  })
  .refine(({ descriptions, models }) => descriptions === null || descriptions.model in models, {
    path: ["descriptions", "model"],
    error: "got a role that models does not have",
  })
  .refine(({ judge, filter }) => filter.also.every((metric) => judge.metrics.includes(metric)), {
    path: ["filter", "also"],
    error: "got a metric that judge.metrics does not have",
  })
  .refine((config) => config.judge.metrics.includes(config.filter.metric), {
    path: ["filter", "metric"],
    error: "got a metric that judge.metrics does not have",
  })
  .refine(
    ({ sft, judge }) => sft.strategy === "select" || sft.metrics.every((id) => judge.metrics.includes(id)),
    {
      path: ["sft", "metrics"],
      error: "got a metric that judge.metrics does not have",
    },
  );
export type RunConfig = z.infer<typeof RunConfig>;

function placeOf({ loader, root, split, release }: DatasetConfig): string {
  return JSON.stringify([loader, root, split, release]);
}

/** Every rollout of a config, for training and for evaluation. */
export function rolloutsOf(config: {
  readonly answers: { readonly rollouts: readonly RolloutConfig[] };
  readonly evaluation: { readonly rollouts: readonly RolloutConfig[] } | null;
}): readonly RolloutConfig[] {
  return [...config.answers.rollouts, ...(config.evaluation?.rollouts ?? [])];
}

/** The schema that a person's config is held against, as JSON Schema. */
export function runConfigJsonSchema(): unknown {
  return z.toJSONSchema(RunConfig, { io: "input" });
}

/**
 * Reads a parsed config file.
 * @throws CONFIG_INVALID naming every wrong key with its path, and the near miss of an unknown one.
 */
export function parseRunConfig(value: unknown, file: string): RunConfig {
  const parsed = RunConfig.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => describeIssue(issue));
  throw new GradusError("CONFIG_INVALID", `cannot use ${file}: ${lines.join("; ")}`, {
    site: { file },
    hint: "docs/run-config.schema.json describes every key; configs/ has examples",
  });
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const at = issue.path.length === 0 ? "the top level" : issue.path.join(".");
  if (issue.code !== "unrecognized_keys") return `${at}: ${issue.message}`;
  const known = knownKeys(issue.path);
  const names = issue.keys.map((key) => {
    const near = nearMiss(key, known);
    return near === undefined ? `"${key}"` : `"${key}" (did you mean "${near}"?)`;
  });
  return `${at}: unknown key ${names.join(", ")}, expected ${known.join(", ")}`;
}

/** The keys that the schema knows at a path of a config. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let at: readonly SchemaNode[] = [runConfigJsonSchema() as SchemaNode];
  for (const part of path) {
    at = alternatives(at).flatMap((node) => {
      const next =
        typeof part === "number"
          ? node.items
          : (node.properties?.[String(part)] ?? node.additionalProperties);
      return typeof next === "object" ? [next] : [];
    });
  }
  return [...new Set(alternatives(at).flatMap((node) => Object.keys(node.properties ?? {})))];
}

/** The nodes and what they may be instead. */
function alternatives(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => [node, ...alternatives([...(node.anyOf ?? []), ...(node.oneOf ?? [])])]);
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}
