import { GradusError } from "../../core/errors.ts";
import type { ChatMessage, ModelRequest } from "../../core/model.ts";

/** What tells one OpenAI-compatible server from another. */
export interface OpenAiDialect {
  /** Decides which parameters beyond OpenAI's are sent. */
  readonly server: "openai" | "vllm" | "sglang";
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** The field that earlier thoughts are sent back in. */
  readonly reasoningField: "reasoning" | "reasoning_content";
  /** Whether to ask for the sampled token ids. */
  readonly wantsTokenIds: boolean;
  readonly stream: boolean;
}

const OURS = new Set([
  "model",
  "messages",
  "tools",
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "seed",
  "n",
  "stream",
  "stream_options",
]);

/**
 * The body of a chat completion, its members always in this order. `top_k` is sent to `openai` only when it is
 * on. @throws MODEL_OPTIONS_INVALID when `sampling.extra` sets what has its own field.
 */
export function openAiBody(request: ModelRequest, dialect: OpenAiDialect): Record<string, unknown> {
  const { sampling } = request;
  refuseOurs(Object.keys(sampling.extra), OURS);
  const keepsStops = sampling.stop.length > 0;
  return {
    model: request.model,
    messages: request.messages.map((message) => openAiMessage(message, dialect)),
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, description, parameters },
          })),
        }),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    [dialect.maxTokensField]: sampling.maxTokens,
    ...(sampling.stop.length === 0 ? {} : { stop: sampling.stop }),
    ...(request.seed === null ? {} : { seed: request.seed }),
    ...(dialect.server === "openai" && sampling.topK === -1 ? {} : { top_k: sampling.topK }),
    ...(dialect.server === "vllm" && keepsStops ? { include_stop_str_in_output: true } : {}),
    ...(dialect.server === "sglang" && keepsStops ? { no_stop_trim: true } : {}),
    ...(dialect.server !== "openai" && dialect.wantsTokenIds ? { return_token_ids: true } : {}),
    ...(dialect.stream ? { stream: true, stream_options: { include_usage: true } } : { stream: false }),
    ...sampling.extra,
  };
}

/** Throws MODEL_OPTIONS_INVALID when `names` has one of `ours`. */
export function refuseOurs(names: readonly string[], ours: ReadonlySet<string>): void {
  const clash = names.find((name) => ours.has(name));
  if (clash === undefined) return;
  throw new GradusError(
    "MODEL_OPTIONS_INVALID",
    `cannot send ${clash} as an extra sampling parameter: it has its own field`,
    { hint: `remove ${clash} from sampling.extra` },
  );
}

function openAiMessage(message: ChatMessage, dialect: OpenAiDialect): Record<string, unknown> {
  const { role, content } = message;
  if (role === "tool") return { role, tool_call_id: message.toolCallId ?? "", content };
  if (role !== "assistant") return { role, content };
  return {
    role,
    content,
    ...(message.reasoning === null ? {} : { [dialect.reasoningField]: message.reasoning }),
    ...(message.toolCalls.length === 0
      ? {}
      : {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: call.argumentsRaw },
          })),
        }),
  };
}
