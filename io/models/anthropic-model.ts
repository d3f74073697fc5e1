import Anthropic from "@anthropic-ai/sdk";
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { z } from "zod";
import type { Model, ModelAccount, ModelReply, ModelRequest } from "../../core/model.ts";
import { anthropicBody } from "./anthropic-request.ts";
import { anthropicTokens, readAnthropicReply } from "./anthropic-reply.ts";
import { AnthropicModelOptions } from "./anthropic-options.ts";
import { parseClientOptions } from "./client-options.ts";
import { type AddressedServer, serversOf } from "./endpoint.ts";
import { createHttpFetch, type HttpFetch } from "./http-fetch.ts";
import { promptBytes } from "./prompt-bytes.ts";
import { openingDigest } from "./rendezvous.ts";
import { Secret } from "./secret.ts";
import { ServerCaller } from "./server-caller.ts";

/** The address where none is given; addresses are without a version. */
const ADDRESS = "https://api.anthropic.com";

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

/** A server with its client. */
interface Connection {
  readonly http: HttpFetch;
  readonly client: Anthropic;
}

function connect(server: AddressedServer, options: AnthropicModelOptions): Connection {
  const http = createHttpFetch(options.maxReplyBytes, server);
  const client = new Anthropic({
    baseURL: server.address,
    apiKey: server.secret.reveal(),
    defaultHeaders: { "anthropic-version": options.apiVersion },
    maxRetries: 0,
    timeout: options.requestTimeoutMs + LIBRARY_TIMEOUT_MARGIN_MS,
    fetch: http.fetch,
    logLevel: "off",
  });
  return { http, client };
}

class AnthropicModel implements Model {
  readonly #options: AnthropicModelOptions;
  readonly #caller: ServerCaller;
  readonly #connections: readonly Connection[];

  constructor(options: AnthropicModelOptions) {
    this.#options = options;
    const servers = serversOf(options, new Secret(options.apiKeyVariable), ADDRESS);
    this.#caller = new ServerCaller(options, servers);
    this.#connections = servers.map((server) => connect(server, options));
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
        stickyKey: () => openingDigest(request),
        sentSignal,
        send: (attemptSignal, server) =>
          (this.#connections[server] as Connection).client.messages.create(body, { signal: attemptSignal }),
        countTokens: anthropicTokens,
        read: (reply, server) => readAnthropicReply(reply, rule, server),
      },
      signal,
    );
    const { value } = answer;
    return { ...value, usage: { ...value.usage, costMicroUsd: answer.costMicroUsd } };
  }

  account(): ModelAccount {
    return this.#caller.account();
  }

  async close(): Promise<void> {
    this.#caller.close();
    await Promise.all(this.#connections.map(({ http }) => http.close()));
  }
}
