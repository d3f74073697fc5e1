import { z } from "zod";
import { EasyOptions, HardOptions } from "../synth/reject-options.ts";

/** Which trajectories become SFT rows, and how. */
export const SftConfig = z.strictObject({
  strategy: z
    .enum(["select", "self-taught"])
    .default("select")
    .describe(
      "select: right by filter.metric, perExample of each kept question; self-taught: by difficulty, short ones of easy questions and diverse long ones of hard, trivial questions included",
    ),
  perExample: z.int().positive().default(1),
  prefer: z.enum(["short", "any"]).default("short"),
  metrics: z
    .array(z.string())
    .min(1)
    .default(["spider-ex", "spider-em"])
    .describe("self-taught: a rollout is right when each of these is 1"),
  easy: EasyOptions.prefault({}).describe("self-taught: which questions are easy, and what is kept of them"),
  hard: HardOptions.prefault({}).describe("self-taught: what is kept of the other questions"),
  embedded: z
    .array(z.enum(["sql", "actions", "thoughts"]))
    .min(1)
    .default(["sql", "actions"])
    .describe("self-taught: what of a rollout is embedded; never its prompt, nor results"),
  checksTraces: z
    .boolean()
    .default(true)
    .describe("self-taught: reject traces of teachers that saw the gold and show it"),
  quota: z
    .strictObject({
      sampled: z
        .int()
        .positive()
        .nullable()
        .default(null)
        .describe("questions that may be used, drawn; null for all"),
      kept: z.int().positive().describe("questions to keep"),
      weights: z
        .record(z.string(), z.number().nonnegative())
        .default({ easy: 1, medium: 2, hard: 3, extra: 1 })
        .describe("share of each hardness; what one cannot fill goes to the others"),
    })
    .nullable()
    .default(null)
    .describe("self-taught: keep so many questions only, by hardness; null keeps all"),
  repaired: z
    .enum(["keep", "mask"])
    .default("keep")
    .describe(
      "self-taught: whether queries that failed and were repaired are learned, or masked with their reason",
    ),
  preferencePairs: z
    .int()
    .nonnegative()
    .default(0)
    .describe("self-taught: right against wrong rollouts of one question, at most so many pairs each"),
});

/** What turns rollouts into points. */
export const EmbedderConfig = z
  .strictObject({
    id: z.string().default("tf-idf").describe("id of an embedder"),
    options: z.record(z.string(), z.json()).default({}).describe("options of the embedder"),
    client: z
      .record(z.string(), z.json())
      .default({})
      .describe("how its server is reached; changes no result"),
  })
  .prefault({});

/** How many rounds there are, and which model learns. */
export const RoundsConfig = z
  .strictObject({
    max: z.int().min(1).max(100).default(3),
    role: z.string().default("student").describe("role of the model that is trained, a key of models"),
  })
  .prefault({});

/** The command that trains between two rounds. */
export const TrainerConfig = z
  .strictObject({
    command: z
      .array(z.string())
      .min(1)
      .describe(
        "program and arguments; GRADUS_SHARDS, GRADUS_ROUND, GRADUS_OUTPUT and GRADUS_MODEL_* tell it what to do",
      ),
    timeoutMinutes: z.number().positive().default(1_440),
    result: z
      .string()
      .nullable()
      .default(null)
      .describe(
        "file below GRADUS_OUTPUT with the new model as JSON; null reads the last line of standard output",
      ),
  })
  .nullable()
  .default(null);
