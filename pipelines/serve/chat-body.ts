import { z } from "zod";
import type { Json } from "../../core/key.ts";
import type { ChatMessage, ModelRequest } from "../../core/model.ts";
import { toolCall } from "../../io/models/reply-reading.ts";

const Text = z.union([
  z.string(),
  z.null(),
  z.array(z.looseObject({ type: z.literal("text"), text: z.string() })),
]);

const BodyMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: Text.optional(),
  reasoning: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }),
      }),
    )
    .nullish(),
  tool_call_id: z.string().nullish(),
});

const BodyTool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string(),
    description: z.string().default(""),
    parameters: z.record(z.string(), z.json()).default({}),
  }),
});

/** The body of `POST /v1/chat/completions`, as far as a server without a model reads it. */
export const ChatBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(BodyMessage).min(1),
  tools: z.array(BodyTool).nullish(),
  temperature: z.number().min(0).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  top_k: z.int().nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  seed: z.int().nullish(),
  n: z.literal(1, "only one choice is served").nullish(),
  stream: z.literal(false, "only whole replies are served").nullish(),
  /** vLLM's and SGLang's words for keeping the stop string that ended a reply. */
  include_stop_str_in_output: z.boolean().nullish(),
  no_stop_trim: z.boolean().nullish(),
});
export type ChatBody = z.infer<typeof ChatBody>;

/** What has a field of its own in a model request, or says only how the reply travels. */
const NOT_EXTRA: ReadonlySet<string> = new Set([
  ...Object.keys(ChatBody.shape),
  "stream_options",
  "return_token_ids",
]);
const DEFAULT_MAX_TOKENS = 4096;

/**
 * The model request that a body was written from: its `keyOf` is the request hash that a ledger holds,
 * whichever kind of server the body was written for. Temperature and `top_p` are 1 and the token limit 4,096
 * where the body has none.
 */
export function modelRequestOf(body: ChatBody): ModelRequest {
  const extra = Object.entries(body).filter(([name]) => !NOT_EXTRA.has(name));
  const stop = body.stop ?? [];
  return {
    model: body.model,
    messages: body.messages.map(messageOf),
    tools: (body.tools ?? []).map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      parameters,
    })),
    sampling: {
      temperature: body.temperature ?? 1,
      topP: body.top_p ?? 1,
      topK: body.top_k ?? -1,
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? DEFAULT_MAX_TOKENS,
      stop: typeof stop === "string" ? [stop] : stop,
      extra: Object.fromEntries(extra) as Record<string, z.infer<ReturnType<typeof z.json>>>,
    },
    seed: body.seed ?? null,
  };
}

/** Whether a body asks to keep the stop string. */
export function keepsStop(body: ChatBody): boolean {
  return body.include_stop_str_in_output === true || body.no_stop_trim === true;
}

function messageOf(message: z.infer<typeof BodyMessage>): ChatMessage {
  const { role, content } = message;
  return {
    role: role === "developer" ? "system" : role,
    content: typeof content === "string" ? content : (content ?? []).map(({ text }) => text).join(""),
    reasoning: message.reasoning ?? message.reasoning_content ?? null,
    toolCalls: (message.tool_calls ?? []).map((call, position) =>
      toolCall(call.id, call.function.name, call.function.arguments, position),
    ),
    toolCallId: message.tool_call_id ?? null,
  };
}

/** A completion as OpenAI-compatible servers write it. Times are 0, so that equal requests get equal bytes. */
export function completionBody(
  id: string,
  reply: {
    readonly content: string;
    readonly reasoning: string | null;
    readonly toolCalls: ChatMessage["toolCalls"];
    readonly finishReason: string;
    readonly usage: { readonly promptTokens: number | null; readonly completionTokens: number | null };
    readonly tokenIds: readonly number[] | null;
    readonly servedModel: string;
  },
  fingerprint: string,
): Record<string, Json> {
  const { promptTokens, completionTokens } = reply.usage;
  const calls = reply.toolCalls.map(({ id: callId, name, argumentsRaw }) => ({
    id: callId,
    type: "function",
    function: { name, arguments: argumentsRaw },
  }));
  const message = {
    role: "assistant",
    content: reply.content,
    ...(reply.reasoning === null ? {} : { reasoning: reply.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choice = { index: 0, message, finish_reason: reply.finishReason };
  return {
    id,
    object: "chat.completion",
    created: 0,
    model: reply.servedModel,
    system_fingerprint: fingerprint,
    choices: [reply.tokenIds === null ? choice : { ...choice, token_ids: reply.tokenIds }],
    ...(promptTokens === null || completionTokens === null
      ? {}
      : {
          usage: {
            prompt_tokens: promptTokens,
            completion_tokens: completionTokens,
            total_tokens: promptTokens + completionTokens,
          },
        }),
  };
}
