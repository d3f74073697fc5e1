import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { Stream } from "openai/streaming";
import { z } from "zod";
import type { Model, ModelAccount, ModelReply, ModelRequest } from "../../core/model.ts";
import { messageOf } from "../../core/errors.ts";
import type { ServerIdentity } from "./attempt-failure.ts";
import { clientOptions, parseClientOptions } from "./client-options.ts";
import { createHttpFetch, type HttpFetch } from "./http-fetch.ts";
import { openAiBody, type OpenAiDialect } from "./openai-request.ts";
import { openAiTokens, readOpenAiReply } from "./openai-reply.ts";
import { collectStream } from "./openai-stream.ts";
import { promptBytes } from "./prompt-bytes.ts";
import type { ServedModelRule } from "./reply-reading.ts";
import { Secret } from "./secret.ts";
import { ServerCaller } from "./server-caller.ts";

/** Options of {@link createOpenAiModel}. */
export const OpenAiModelOptions = z.strictObject({
  ...clientOptions,
  server: z.enum(["openai", "vllm", "sglang"]).default("openai"),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]).default("max_tokens"),
  /** `null`: `reasoning` for vLLM, `reasoning_content` for others. */
  reasoningField: z.enum(["reasoning", "reasoning_content"]).nullable().default(null),
  /** Keeps proxies that cut silent connections content; the completion is the same. */
  stream: z.boolean().default(false),
});
export type OpenAiModelOptions = z.infer<typeof OpenAiModelOptions>;

/** The library's own timeout comes after ours, so that it never fires. */
const LIBRARY_TIMEOUT_MARGIN_MS = 60_000;

/**
 * A client of any OpenAI-compatible server. The served model's name must be exact on vLLM and SGLang, else have
 * the asked name as prefix, unless `servedModelMatch` says otherwise. `tokenIds` come from vLLM and SGLang where
 * their version knows them.
 * @throws MODEL_OPTIONS_INVALID, MODEL_KEY_MISSING, MODEL_KEY_INVALID.
 */
export function createOpenAiModel(options: z.input<typeof OpenAiModelOptions>): Model {
  return new OpenAiModel(parseClientOptions(OpenAiModelOptions, options));
}

class OpenAiModel implements Model {
  readonly #options: OpenAiModelOptions;
  readonly #server: ServerIdentity;
  readonly #caller: ServerCaller;
  readonly #http: HttpFetch;
  readonly #client: OpenAI;
  #wantsTokenIds = true;

  constructor(options: OpenAiModelOptions) {
    this.#options = options;
    this.#server = { label: `the server at ${options.baseUrl}`, secret: new Secret(options.apiKeyVariable) };
    this.#caller = new ServerCaller(options, this.#server);
    this.#http = createHttpFetch(options.maxReplyBytes, this.#server);
    this.#client = new OpenAI({
      baseURL: options.baseUrl,
      apiKey: this.#server.secret.reveal() ?? "none",
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: options.requestTimeoutMs + LIBRARY_TIMEOUT_MARGIN_MS,
      fetch: this.#http.fetch,
      logLevel: "off",
    });
  }

  async complete(request: ModelRequest, signal: AbortSignal, sentSignal?: AbortSignal): Promise<ModelReply> {
    openAiBody(request, this.#dialect());
    const answer = await this.#caller.call(
      {
        promptBytes: promptBytes(request),
        maxTokens: request.sampling.maxTokens,
        sentSignal,
        send: (attemptSignal) => this.#send(request, attemptSignal),
        countTokens: openAiTokens,
        read: (reply) => readOpenAiReply(reply, request, this.#rule(request), this.#server),
      },
      signal,
    );
    const { value } = answer;
    return { ...value, usage: { ...value.usage, costMicroUsd: answer.costMicroUsd } };
  }

  account(): ModelAccount {
    return this.#caller.account();
  }

  close(): Promise<void> {
    this.#caller.close();
    return this.#http.close();
  }

  async #send(request: ModelRequest, signal: AbortSignal): Promise<unknown> {
    const wanted = this.#wantsTokenIds;
    try {
      return await this.#ask(request, signal);
    } catch (thrown) {
      if (!wanted || !/return_token_ids/.test(messageOf(thrown))) throw thrown;
      this.#wantsTokenIds = false;
      return this.#ask(request, signal);
    }
  }

  async #ask(request: ModelRequest, signal: AbortSignal): Promise<unknown> {
    const body = openAiBody(request, this.#dialect()) as unknown as ChatCompletionCreateParamsNonStreaming;
    const pending = this.#client.chat.completions.create(body, { signal });
    if (!this.#options.stream) return pending;
    const response = await pending.asResponse();
    if (response.body === null) return response.json();
    return collectStream(Stream.fromSSEResponse(response, new AbortController(), this.#client), this.#server);
  }

  #dialect(): OpenAiDialect {
    const { server, maxTokensField, reasoningField, stream } = this.#options;
    return {
      server,
      maxTokensField,
      reasoningField: reasoningField ?? (server === "vllm" ? "reasoning" : "reasoning_content"),
      wantsTokenIds: this.#wantsTokenIds,
      stream,
    };
  }

  #rule(request: ModelRequest): ServedModelRule {
    const { server, servedModel, servedModelMatch } = this.#options;
    return {
      name: servedModel ?? request.model,
      match: servedModelMatch ?? (server === "openai" ? "prefix" : "exact"),
    };
  }
}
