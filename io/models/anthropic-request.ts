import type { ChatMessage, ModelRequest } from "../../core/model.ts";
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

/**
 * The body of a Messages request. System messages are joined by a blank line; neighbouring messages of one side
 * form one turn, as tool results must. `top_p` is sent below 1 and `top_k` when on: newer models refuse them next
 * to a temperature. The API takes no seed, and no thoughts without its signature: both stay out.
 * @throws MODEL_OPTIONS_INVALID when `sampling.extra` sets what has its own field.
 */
export function anthropicBody(request: ModelRequest): Record<string, unknown> {
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
    temperature: sampling.temperature,
    max_tokens: sampling.maxTokens,
    ...(sampling.topP === 1 ? {} : { top_p: sampling.topP }),
    ...(sampling.topK === -1 ? {} : { top_k: sampling.topK }),
    ...(sampling.stop.length === 0 ? {} : { stop_sequences: sampling.stop }),
    stream: false,
    ...sampling.extra,
  };
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
