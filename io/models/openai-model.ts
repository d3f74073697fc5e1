import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { Stream } from "openai/streaming";
import type { z } from "zod";
import type { Model, ModelAccount, ModelReply, ModelRequest } from "../../core/model.ts";
import { messageOf } from "../../core/errors.ts";
import { OpenAiModelOptions } from "./openai-options.ts";
import { parseClientOptions } from "./client-options.ts";
import { type AddressedServer, serversOf } from "./endpoint.ts";
import { createHttpFetch, type HttpFetch } from "./http-fetch.ts";
import { openAiBody, type OpenAiDialect } from "./openai-request.ts";
import { openAiTokens, readOpenAiReply } from "./openai-reply.ts";
import { collectStream } from "./openai-stream.ts";
import { promptBytes } from "./prompt-bytes.ts";
import { openingDigest } from "./rendezvous.ts";
import type { ServedModelRule } from "./reply-reading.ts";
import { Secret } from "./secret.ts";
import { ServerCaller } from "./server-caller.ts";

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

/** A server with its client, and whether it knows token ids. */
interface Connection {
  readonly server: AddressedServer;
  readonly http: HttpFetch;
  readonly client: OpenAI;
  wantsTokenIds: boolean;
}

function connect(server: AddressedServer, options: OpenAiModelOptions): Connection {
  const http = createHttpFetch(options.maxReplyBytes, server);
  const client = new OpenAI({
    baseURL: server.address,
    apiKey: server.secret.reveal() ?? "none",
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: options.requestTimeoutMs + LIBRARY_TIMEOUT_MARGIN_MS,
    fetch: http.fetch,
    logLevel: "off",
  });
  return { server, http, client, wantsTokenIds: true };
}

class OpenAiModel implements Model {
  readonly #options: OpenAiModelOptions;
  readonly #caller: ServerCaller;
  readonly #connections: readonly Connection[];

  constructor(options: OpenAiModelOptions) {
    this.#options = options;
    const servers = serversOf(options, new Secret(options.apiKeyVariable));
    this.#caller = new ServerCaller(options, servers);
    this.#connections = servers.map((server) => connect(server, options));
  }

  async complete(request: ModelRequest, signal: AbortSignal, sentSignal?: AbortSignal): Promise<ModelReply> {
    openAiBody(request, this.#dialect(true));
    const answer = await this.#caller.call(
      {
        promptBytes: promptBytes(request),
        maxTokens: request.sampling.maxTokens,
        stickyKey: () => openingDigest(request),
        sentSignal,
        send: (attemptSignal, server) =>
          this.#send(request, this.#connections[server] as Connection, attemptSignal),
        countTokens: openAiTokens,
        read: (reply, server) => readOpenAiReply(reply, request, this.#rule(request), server),
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

  async #send(request: ModelRequest, connection: Connection, signal: AbortSignal): Promise<unknown> {
    const wanted = connection.wantsTokenIds;
    try {
      return await this.#ask(request, connection, signal);
    } catch (thrown) {
      if (!wanted || !/return_token_ids/.test(messageOf(thrown))) throw thrown;
      connection.wantsTokenIds = false;
      return this.#ask(request, connection, signal);
    }
  }

  async #ask(
    request: ModelRequest,
    { client, server, wantsTokenIds }: Connection,
    signal: AbortSignal,
  ): Promise<unknown> {
    const dialect = this.#dialect(wantsTokenIds);
    const body = openAiBody(request, dialect) as unknown as ChatCompletionCreateParamsNonStreaming;
    const pending = client.chat.completions.create(body, { signal });
    if (!this.#options.stream) return pending;
    const response = await pending.asResponse();
    if (response.body === null) return response.json();
    return collectStream(Stream.fromSSEResponse(response, new AbortController(), client), server);
  }

  #dialect(wantsTokenIds: boolean): OpenAiDialect {
    const { server, maxTokensField, reasoningField, stream } = this.#options;
    return {
      server,
      maxTokensField,
      reasoningField: reasoningField ?? (server === "vllm" ? "reasoning" : "reasoning_content"),
      wantsTokenIds,
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
