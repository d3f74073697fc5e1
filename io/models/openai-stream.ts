import { GradusError } from "../../core/errors.ts";
import type { ServerIdentity } from "./attempt-failure.ts";
import { isObject, member } from "./reply-reading.ts";

interface CallParts {
  id: string;
  name: string;
  arguments: string;
}

/** Puts the parts of a streamed chat completion together. */
class StreamedReply {
  #model: unknown;
  #usage: unknown;
  #finishReason: unknown = null;
  #content = "";
  #reasoning = "";
  readonly #tokenIds: unknown[] = [];
  readonly #calls = new Map<number, CallParts>();

  get ended(): boolean {
    return typeof this.#finishReason === "string";
  }

  add(chunk: unknown): void {
    this.#model ??= member(chunk, "model");
    this.#usage = member(chunk, "usage") ?? this.#usage;
    const choices = member(chunk, "choices");
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(choice)) return;
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
    if (Array.isArray(choice.token_ids)) this.#tokenIds.push(...(choice.token_ids as unknown[]));
    const { delta } = choice;
    this.#content += text(member(delta, "content"));
    this.#reasoning += text(member(delta, "reasoning")) || text(member(delta, "reasoning_content"));
    const calls = member(delta, "tool_calls");
    if (Array.isArray(calls)) for (const call of calls) this.#addCall(call);
  }

  /** The same object that the server sends when it does not stream. */
  whole(): Record<string, unknown> {
    const calls = [...this.#calls.entries()].sort(([left], [right]) => left - right).map(([, call]) => call);
    return {
      model: this.#model,
      usage: this.#usage,
      choices: [
        {
          finish_reason: this.#finishReason,
          token_ids: this.#tokenIds,
          message: {
            content: this.#content,
            reasoning: this.#reasoning,
            tool_calls: calls.map((call) => ({
              id: call.id,
              function: { name: call.name, arguments: call.arguments },
            })),
          },
        },
      ],
    };
  }

  #addCall(part: unknown): void {
    const index = member(part, "index");
    const position = typeof index === "number" ? index : this.#calls.size;
    const call = this.#calls.get(position) ?? { id: "", name: "", arguments: "" };
    const sampled = member(part, "function");
    call.id = call.id || text(member(part, "id"));
    call.name = call.name || text(member(sampled, "name"));
    call.arguments += text(member(sampled, "arguments"));
    this.#calls.set(position, call);
  }
}

/**
 * Collects a streamed completion into the object of one that is not streamed. The client library ends a cut or
 * stopped stream without an error, so an end without a finish reason throws MODEL_REPLY_CUT.
 */
export async function collectStream(
  chunks: AsyncIterable<unknown>,
  server: ServerIdentity,
): Promise<unknown> {
  const reply = new StreamedReply();
  try {
    for await (const chunk of chunks) reply.add(chunk);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    throw cut("broken JSON in an event", server);
  }
  if (!reply.ended) throw cut("the last event has no finish reason", server);
  return reply.whole();
}

function cut(problem: string, server: ServerIdentity): GradusError {
  return new GradusError("MODEL_REPLY_CUT", `${server.label} ended a stream early: ${problem}`);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
