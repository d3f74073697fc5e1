import { GradusError } from "../../core/errors.ts";
import type { Model, ModelAccount, ModelReply, ModelRequest } from "../../core/model.ts";

/** A reply of a server that tells everything, with `content` and what else is given. */
export function modelReply(content: string, parts: Partial<ModelReply> = {}): ModelReply {
  return {
    content,
    reasoning: null,
    toolCalls: [],
    finishReason: "stop",
    usage: { promptTokens: 100, completionTokens: 10, costMicroUsd: 7 },
    rawExact: true,
    tokenIds: null,
    servedModel: "student",
    ...parts,
  };
}

/** What a scripted model does at a call: a text, a whole reply, or an error to throw. */
export type ScriptLine = string | ModelReply | Error;

/**
 * A model with a script: its lines in order, or a function of the request and the number of the call. Throws
 * at the end of its script. Keeps the requests as they came.
 */
export class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  isClosed = false;
  readonly #script: (request: ModelRequest, call: number) => ScriptLine | undefined;

  constructor(script: readonly ScriptLine[] | ((request: ModelRequest, call: number) => ScriptLine)) {
    this.#script = typeof script === "function" ? script : (_, call) => script[call];
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    if (signal.aborted) throw new GradusError("INTERRUPTED", "the fake model was interrupted");
    const line = this.#script(structuredClone(request), this.requests.length);
    this.requests.push(structuredClone(request));
    if (line === undefined) throw new Error("the fake model is at the end of its script");
    if (line instanceof Error) throw line;
    return typeof line === "string" ? modelReply(line) : line;
  }

  account(): ModelAccount {
    const requests = this.requests.length;
    return {
      requests,
      retries: 0,
      promptTokens: 100 * requests,
      completionTokens: 10 * requests,
      costMicroUsd: 0,
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
