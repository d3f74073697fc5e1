import { z } from "zod";
import { GradusError } from "../../core/errors.ts";
import type { ModelAccount } from "../../core/model.ts";
import type { ServerIdentity } from "./attempt-failure.ts";
import {
  checkClientOptions,
  type ClientOptions,
  clientOptions,
  parseClientOptions,
} from "./client-options.ts";
import { type AddressedServer, serversOf } from "./endpoint.ts";
import { createHttpFetch, type HttpFetch } from "./http-fetch.ts";
import { member, replyObject, tokenCount } from "./reply-reading.ts";
import { Secret } from "./secret.ts";
import { ServerCaller } from "./server-caller.ts";

/** How an embeddings server is reached. */
export const EmbeddingClientOptions = z
  .strictObject({
    ...clientOptions,
    /** A batch of texts is a long reply. */
    maxReplyBytes: z
      .int()
      .positive()
      .default(64 * 1024 * 1024),
  })
  .superRefine(checkClientOptions(true));

/** What is asked of an embeddings server. */
export interface EmbeddingRequest {
  readonly model: string;
  /** Dimensions to ask for; `null` leaves it to the model. */
  readonly dimensions: number | null;
  readonly texts: readonly string[];
}

/** The vectors of texts, in their order. */
export interface EmbeddingClient {
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]>;
  account(): ModelAccount;
  close(): Promise<void>;
}

/**
 * A client of any server with OpenAI's `/v1/embeddings`, behind the same retries, limits, budget and circuit breaker
 * as a language model's.
 * @throws MODEL_OPTIONS_INVALID, MODEL_KEY_MISSING, MODEL_KEY_INVALID.
 */
export function createEmbeddingClient(given: unknown): EmbeddingClient {
  const options: ClientOptions = parseClientOptions(EmbeddingClientOptions, given);
  const servers = serversOf(options, new Secret(options.apiKeyVariable));
  const caller = new ServerCaller(options, servers);
  const connections = servers.map((server) => ({
    server,
    http: createHttpFetch(options.maxReplyBytes, server),
  }));
  return {
    embed: async (request, signal) => {
      const body = JSON.stringify({
        model: request.model,
        input: request.texts,
        encoding_format: "float",
        ...(request.dimensions === null ? {} : { dimensions: request.dimensions }),
      });
      const { value } = await caller.call(
        {
          promptBytes: Buffer.byteLength(body),
          maxTokens: 1,
          stickyKey: () => request.texts[0] ?? "",
          send: (attempt, server) => post(connections[server] as Connection, body, attempt),
          countTokens: (reply) => ({
            promptTokens: tokenCount(member(member(reply, "usage"), "prompt_tokens")),
            completionTokens: 0,
          }),
          read: (reply, server) => readVectors(reply, request, server),
        },
        signal,
      );
      return value;
    },
    account: () => caller.account(),
    close: async () => {
      caller.close();
      await Promise.all(connections.map(({ http }) => http.close()));
    },
  };
}

interface Connection {
  readonly server: AddressedServer;
  readonly http: HttpFetch;
}

/** A failed request in the shape that failures of the client libraries have. */
class EmbeddingHttpError extends Error {
  readonly status: number;
  readonly headers: unknown;
  readonly error: unknown;

  constructor(status: number, headers: unknown, body: unknown) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.error = member(body, "error") ?? body;
  }
}

async function post({ server, http }: Connection, body: string, signal: AbortSignal): Promise<unknown> {
  const key = server.secret.reveal();
  const response = await http.fetch(`${server.address.replace(/\/$/, "")}/embeddings`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body,
    signal,
  });
  const reply: unknown = await response.json();
  if (response.ok) return reply;
  throw new EmbeddingHttpError(response.status, response.headers, reply);
}

function readVectors(
  reply: unknown,
  { texts, dimensions }: EmbeddingRequest,
  server: ServerIdentity,
): Float32Array[] {
  const { data } = replyObject(reply, server);
  const rows = Array.isArray(data) ? (data as unknown[]) : [];
  const vectors: Float32Array[] = [];
  for (const [place, row] of rows.entries()) {
    const index = member(row, "index") ?? place;
    const embedding = member(row, "embedding");
    if (typeof index !== "number" || !Array.isArray(embedding)) throw invalid("a row has no vector", server);
    const vector = Float32Array.from(embedding as number[]);
    if (vector.length === 0 || vector.some((value) => !Number.isFinite(value))) {
      throw invalid("a vector is empty or not of finite numbers", server);
    }
    if (dimensions !== null && vector.length !== dimensions) {
      throw invalid(`a vector has ${vector.length} dimensions, expected ${dimensions}`, server);
    }
    vectors[index] = vector;
  }
  const isWhole = texts.every((_, place) => vectors[place]?.length === vectors[0]?.length);
  if (!isWhole || vectors.length !== texts.length) {
    throw invalid(`got ${rows.length} vectors, expected ${texts.length} of one length`, server);
  }
  return vectors;
}

function invalid(problem: string, server: ServerIdentity): GradusError {
  return new GradusError("MODEL_REPLY_INVALID", `${server.label} gave no embeddings: ${problem}`);
}
