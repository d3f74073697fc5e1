import { GradusError } from "../../core/errors.ts";
import type { ChatMessage, ModelRequest, Sampling } from "../../core/model.ts";
import { refuseOurs } from "./openai-request.ts";

type Block = Readonly<Record<string, unknown>>;

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: Block[];
}

const OURS = new Set([
  "model",
  "messages",
  "system",
  "tools",
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "stop_sequences",
  "stream",
]);

/** Versions of the Messages API. From 2026-10-21 on it takes no temperature, `top_p` or `top_k`, whatever the model. */
export type AnthropicVersion = "2023-06-01" | "2026-10-21";

/**
 * The body of a Messages request. System messages are joined by a blank line; neighbouring messages of one side
 * form one turn, as tool results must. The API takes no seed, and no thoughts without its signature: both stay out.
 * @throws MODEL_OPTIONS_INVALID when `sampling.extra` sets what has its own field, or the version cannot sample so.
 */
export function anthropicBody(request: ModelRequest, version: AnthropicVersion): Record<string, unknown> {
  const { sampling } = request;
  refuseOurs(Object.keys(sampling.extra), OURS);
  const system = request.messages.filter((message) => message.role === "system");
  return {
    model: request.model,
    ...(system.length === 0 ? {} : { system: system.map((message) => message.content).join("\n\n") }),
    messages: turnsOf(request.messages.filter((message) => message.role !== "system")),
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            name,
            description,
            input_schema: parameters,
          })),
        }),
    max_tokens: sampling.maxTokens,
    ...samplingOf(sampling, version),
    ...(sampling.stop.length === 0 ? {} : { stop_sequences: sampling.stop }),
    stream: false,
    ...sampling.extra,
  };
}

/** In the older version `top_p` below 1 and `top_k` when on: models refuse even their off values next to a temperature. */
function samplingOf(sampling: Sampling, version: AnthropicVersion): Record<string, number> {
  const { temperature, topP, topK } = sampling;
  if (version === "2023-06-01") {
    return { temperature, ...(topP === 1 ? {} : { top_p: topP }), ...(topK === -1 ? {} : { top_k: topK }) };
  }
  if (temperature === 1 && topP === 1 && topK === -1) return {};
  throw new GradusError(
    "MODEL_OPTIONS_INVALID",
    `version ${version} of the Anthropic API takes no sampling parameters: got temperature ${temperature}, topP ${topP}, topK ${topK}, expected 1, 1, -1`,
    { hint: "set them so, or set apiVersion to 2023-06-01 for a model that still takes them" },
  );
}

function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message));
    else turns.push({ role, content: blocksOf(message) });
  }
  return turns;
}

function blocksOf(message: ChatMessage): Block[] {
  if (message.role === "tool") {
    return [{ type: "tool_result", tool_use_id: message.toolCallId ?? "", content: message.content }];
  }
  const calls = message.toolCalls.map((call) => ({
    type: "tool_use",
    id: call.id,
    name: call.name,
    input: call.arguments ?? {},
  }));
  return message.content === "" && calls.length > 0
    ? calls
    : [{ type: "text", text: message.content }, ...calls];
}
