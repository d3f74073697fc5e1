import { z } from "zod";
import { ToolCall, Usage } from "./trajectory.ts";

/** A message as it goes to a server. `reasoning` is an earlier thought, sent back only where the scaffold keeps it. */
export const ChatMessage = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  reasoning: z.string().nullable(),
  toolCalls: z.array(ToolCall),
  toolCallId: z.string().nullable(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A tool as the model is told of it. `parameters` is a flat JSON Schema; key order is kept everywhere. */
export const ToolSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.json()),
});
export type ToolSchema = z.infer<typeof ToolSchema>;

/** Sampling parameters, always sent explicitly. `extra` holds what only some servers know (min_p, chat_template_kwargs). */
export const Sampling = z.strictObject({
  temperature: z.number().min(0),
  topP: z.number().gt(0).max(1),
  /** -1 for off. */
  topK: z.int(),
  maxTokens: z.int().positive(),
  stop: z.array(z.string()),
  extra: z.record(z.string(), z.json()),
});
export type Sampling = z.infer<typeof Sampling>;

/** One completion asked for. Plain JSON: its canonical hash is the request hash of the ledger. */
export const ModelRequest = z.strictObject({
  /** The name the server knows the model by. */
  model: z.string().min(1),
  messages: z.array(ChatMessage).min(1),
  tools: z.array(ToolSchema),
  sampling: Sampling,
  /** Sent as the request's seed; `null` for servers that take none. */
  seed: z.int().nullable(),
});
export type ModelRequest = z.infer<typeof ModelRequest>;

export const FinishReason = z.enum(["stop", "length", "tool_calls", "content_filter"]);
export type FinishReason = z.infer<typeof FinishReason>;

/** A validated completion: only these enter the ledger. */
export const ModelReply = z.strictObject({
  /** The text as returned, stop string included where the server gives it. */
  content: z.string(),
  /** The thought where the server parses it out (`reasoning` or `reasoning_content`). */
  reasoning: z.string().nullable(),
  toolCalls: z.array(ToolCall),
  finishReason: FinishReason,
  usage: Usage,
  /** True where the whole sampled text is known exactly: raw completion or token ids. */
  rawExact: z.boolean(),
  tokenIds: z.array(z.int()).nullable(),
  /** The model name that the server says it served. */
  servedModel: z.string(),
  /** Where the server says that no model made it: gradus' own simulated one. */
  simulated: z.literal(true).optional(),
});
export type ModelReply = z.infer<typeof ModelReply>;

/** What has been asked of one server of a model. */
export interface EndpointAccount {
  /** Its address in short: `127.0.0.1:8000`. */
  readonly name: string;
  /** Attempts that were sent to it. */
  readonly requests: number;
  /** Requests that it has not answered yet. */
  readonly open: number;
  /** False while it is taken out after failures. */
  readonly isUp: boolean;
}

/** What has been asked of a model so far. Money in millionths of a US dollar. */
export interface ModelAccount {
  readonly requests: number;
  /** Attempts beyond the first. */
  readonly retries: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costMicroUsd: number;
  /** Its servers, where it has several: the figures above are their sums. */
  readonly endpoints?: readonly EndpointAccount[];
  /** The failure that is being retried; left out once something succeeds. */
  readonly lastFailure?: string;
}

/**
 * The port to a language model. `complete` gives a validated completion or throws: transport failures are
 * retried inside and then leave as MODEL_UNAVAILABLE (retryable later: the sample stays open); MODEL_KEY_REFUSED,
 * MODEL_REQUEST_REFUSED (the server will never take this request), MODEL_CHANGED (it served another model),
 * MODEL_BUDGET_SPENT, MODEL_CIRCUIT_OPEN, INTERRUPTED. A failure is never a completion. `signal` ends every wait
 * before and between attempts; `sentSignal`, which is `signal` when left out, ends an attempt on its way.
 */
export interface Model {
  complete(request: ModelRequest, signal: AbortSignal, sentSignal?: AbortSignal): Promise<ModelReply>;
  account(): ModelAccount;
  close(): Promise<void>;
}

/** Opens the models of a run by role; a role opened twice is one model. Throws MODEL_ROLE_UNKNOWN. */
export interface ModelSource {
  open(role: string): Promise<Model>;
}
