import Anthropic from "@anthropic-ai/sdk";
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import { z } from "zod";
import type { Model, ModelAccount, ModelReply, ModelRequest } from "../../core/model.ts";
import { anthropicBody } from "./anthropic-request.ts";
import { anthropicTokens, readAnthropicReply } from "./anthropic-reply.ts";
import type { ServerIdentity } from "./attempt-failure.ts";
import { clientOptions, parseClientOptions } from "./client-options.ts";
import { createHttpFetch, type HttpFetch } from "./http-fetch.ts";
import { promptBytes } from "./prompt-bytes.ts";
import { Secret } from "./secret.ts";
import { ServerCaller } from "./server-caller.ts";

/** Options of {@link createAnthropicModel}: the address without a version. */
export const AnthropicModelOptions = z.strictObject({
  ...clientOptions,
  baseUrl: clientOptions.baseUrl.default("https://api.anthropic.com"),
  apiKeyVariable: clientOptions.apiKeyVariable.unwrap().unwrap().default("ANTHROPIC_API_KEY"),
  /** 2023-06-01 for models that still take a temperature; the newer version samples at 1 only. */
  apiVersion: z.enum(["2023-06-01", "2026-10-21"]).default("2026-10-21"),
});
export type AnthropicModelOptions = z.infer<typeof AnthropicModelOptions>;

/** The library's own timeout comes after ours, so that it never fires. */
const LIBRARY_TIMEOUT_MARGIN_MS = 60_000;

/**
 * A client of Anthropic's Messages API. The served model's name must have the asked name as prefix, unless
 * `servedModelMatch` says otherwise. Seeds are not sent: the API takes none.
 * @throws MODEL_OPTIONS_INVALID, MODEL_KEY_MISSING, MODEL_KEY_INVALID.
 */
export function createAnthropicModel(options: z.input<typeof AnthropicModelOptions>): Model {
  return new AnthropicModel(parseClientOptions(AnthropicModelOptions, options));
}

class AnthropicModel implements Model {
  readonly #options: AnthropicModelOptions;
  readonly #server: ServerIdentity;
  readonly #caller: ServerCaller;
  readonly #http: HttpFetch;
  readonly #client: Anthropic;

  constructor(options: AnthropicModelOptions) {
    this.#options = options;
    this.#server = { label: `the server at ${options.baseUrl}`, secret: new Secret(options.apiKeyVariable) };
    this.#caller = new ServerCaller(options, this.#server);
    this.#http = createHttpFetch(options.maxReplyBytes, this.#server);
    this.#client = new Anthropic({
      baseURL: options.baseUrl,
      apiKey: this.#server.secret.reveal(),
      defaultHeaders: { "anthropic-version": options.apiVersion },
      maxRetries: 0,
      timeout: options.requestTimeoutMs + LIBRARY_TIMEOUT_MARGIN_MS,
      fetch: this.#http.fetch,
      logLevel: "off",
    });
  }

  async complete(request: ModelRequest, signal: AbortSignal, sentSignal?: AbortSignal): Promise<ModelReply> {
    const body = anthropicBody(
      request,
      this.#options.apiVersion,
    ) as unknown as MessageCreateParamsNonStreaming;
    const { servedModel, servedModelMatch } = this.#options;
    const rule = { name: servedModel ?? request.model, match: servedModelMatch ?? "prefix" } as const;
    const answer = await this.#caller.call(
      {
        promptBytes: promptBytes(request),
        maxTokens: request.sampling.maxTokens,
        sentSignal,
        send: (attemptSignal) => this.#client.messages.create(body, { signal: attemptSignal }),
        countTokens: anthropicTokens,
        read: (reply) => readAnthropicReply(reply, rule, this.#server),
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
}
