import { z } from "zod";
import { identityOf } from "./key.ts";

/** A tool call as sampled: the raw argument string, and the object it parses to, if it does. */
export const ToolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  argumentsRaw: z.string(),
  arguments: z.record(z.string(), z.json()).nullable(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** Where a message came from. `given`: the prompt; `environment`: a tool's reply; `injected`: put there by a guardrail. */
export const MessageOrigin = z.enum(["given", "sampled", "environment", "injected"]);
export type MessageOrigin = z.infer<typeof MessageOrigin>;

export const Message = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  origin: MessageOrigin,
  /** The text as sampled or as shown: authoritative. */
  rawText: z.string(),
  /** True only where a raw completion or token ids were returned; exporters that need exactness refuse the rest. */
  rawExact: z.boolean(),
  /** The thought, parsed; `null` when there is none or it could not be told apart. */
  reasoning: z.string().nullable(),
  content: z.string(),
  toolCalls: z.array(ToolCall),
  /** For a tool's reply: the call it answers. */
  toolCallId: z.string().nullable(),
  /** Whether a trainer should learn this message, with which weight, and why. */
  train: z.boolean(),
  weight: z.number().nonnegative(),
  trainReason: z.string(),
  /** The steps of the scaffold's protocol that a reply takes, in order (`PROPOSE`, `EXECUTE`), where it has named ones. */
  steps: z.array(z.string()).optional(),
});
export type Message = z.infer<typeof Message>;

/** The model that answered. One served name can be many checkpoints: `revision` tells them apart. */
export const ModelName = z.strictObject({ name: z.string().min(1), revision: z.string() });
export type ModelName = z.infer<typeof ModelName>;

/** A plug and what it was set to. */
export const PlugUse = z.strictObject({
  id: z.string(),
  version: z.int().nonnegative(),
  options: z.record(z.string(), z.json()),
});
export type PlugUse = z.infer<typeof PlugUse>;

export const StopReason = z.enum([
  "answered",
  "no_answer",
  "turn_budget",
  "token_budget",
  "guardrail",
  "length",
  "content_filter",
]);
export type StopReason = z.infer<typeof StopReason>;

/** A table of a linked schema with the columns that are needed of it; none where the table alone is. */
export const LinkedTable = z.strictObject({ table: z.string(), columns: z.array(z.string()) });
export type LinkedTable = z.infer<typeof LinkedTable>;

/** Tokens as the server counted them, and cost in millionths of a US dollar; `null` when it did not say. */
export const Usage = z.strictObject({
  promptTokens: z.int().nonnegative().nullable(),
  completionTokens: z.int().nonnegative().nullable(),
  costMicroUsd: z.int().nonnegative().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * What a sample's identity hashes: what the model could see, who it was, and how it was asked. Never gold
 * or labels. Imported samples know less of it: their unknown parts are `null`.
 */
export const SampleIdentity = z.strictObject({
  exampleId: z.string().length(32),
  question: z.string(),
  evidence: z.string().nullable(),
  /** The earlier turns that were shown, with the SQL that was shown for each (gold history is declared by the scaffold). */
  history: z.array(z.strictObject({ question: z.string(), sql: z.string().nullable() })),
  /** SHA-256 of the schema text that was shown, and the dialect that wrote it. */
  schemaTextDigest: z.string().nullable(),
  schemaDialect: PlugUse.nullable(),
  profileDigest: z.string().nullable(),
  databaseDigest: z.string().nullable(),
  scaffold: PlugUse,
  tools: z.array(PlugUse),
  model: ModelName,
  /** Every sampling parameter that was sent. */
  sampling: z.record(z.string(), z.json()),
  round: z.int().nonnegative(),
  sampleIndex: z.int().nonnegative(),
});
export type SampleIdentity = z.infer<typeof SampleIdentity>;

/** The identity of a sample: 32 hexadecimal digits over its {@link SampleIdentity}. */
export function sampleId(identity: SampleIdentity): string {
  return identityOf(identity);
}

/** The frozen record of one rollout. Every dialect of training data is a pure function of it. */
export const Trajectory = z.strictObject({
  id: z.string().length(32),
  exampleId: z.string().length(32),
  sampleIndex: z.int().nonnegative(),
  round: z.int().nonnegative(),
  model: ModelName,
  scaffold: PlugUse,
  /** How the answer came about; `simulated` is carried down to the shard. */
  source: z.enum(["sampled", "imported", "simulated"]),
  /** What later turns saw of earlier thoughts. */
  pastThoughts: z.enum(["kept", "dropped", "none"]),
  messages: z.array(Message),
  /** The answer; `null` when there was none. */
  finalSql: z.string().nullable(),
  /** The answer of a schema linker, names as the database writes them; absent where none was given. */
  links: z.array(LinkedTable).optional(),
  stopReason: StopReason,
  /** What the stop reason leaves open, in snake_case: which guardrail. */
  stopDetail: z.string().optional(),
  usage: Usage,
  seed: z.int().nullable(),
});
export type Trajectory = z.infer<typeof Trajectory>;
