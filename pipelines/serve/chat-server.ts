import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { z } from "zod";
import { GradusError, messageOf } from "../../core/errors.ts";
import { type Json, keyOf } from "../../core/key.ts";
import type { ModelReply, ModelRequest } from "../../core/model.ts";
import { ChatBody, completionBody, modelRequestOf } from "./chat-body.ts";
import { type FaultKind, type FaultPlan, spoiltReply } from "./faults.ts";

/** A server that runs. */
export interface RunningServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The address that a client of OpenAI-compatible servers takes: `url` with `/v1`. */
  readonly baseUrl: string;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** A chat completion that was asked for. */
export interface ChatCall {
  readonly body: ChatBody;
  /** SHA-256 of the body as canonical JSON. */
  readonly bodyHash: string;
  readonly request: ModelRequest;
  /** `keyOf` the request, as ledgers hold it. */
  readonly requestHash: string;
}

/** What a call is answered with: a completion, perhaps spoilt on its way, or a refusal. */
export type ChatAnswer =
  | { readonly reply: ModelReply; readonly fault: FaultKind | null; readonly delayMs: number }
  | { readonly refusal: { readonly status: number; readonly code: string; readonly message: string } };

export interface ChatServerOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Where given, calls below `/v1` need it as bearer token. */
  readonly apiKey?: string | null;
  /** Bytes of a request; 16 MiB unless given. */
  readonly bodyLimitBytes?: number;
  /** The names that `GET /v1/models` lists. */
  readonly models: readonly string[];
  /** Names the kind of server in each completion (`system_fingerprint`). */
  readonly fingerprint: string;
  readonly faults: FaultPlan | null;
  /** Called in the order of arrival. */
  answer(call: ChatCall): ChatAnswer;
}

const DEFAULT_BODY_LIMIT = 16 * 1024 * 1024;

/**
 * Serves chat completions in OpenAI's form on the loopback address alone: `POST /v1/chat/completions`,
 * `GET /v1/models`, `GET /health`. Errors are `{error: {message, type, code}}`.
 * @throws SERVE_FAILED when the port cannot be had.
 */
export async function startChatServer(options: ChatServerOptions): Promise<RunningServer> {
  const server = fastify({
    bodyLimit: options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT,
    forceCloseConnections: true,
  });
  server.setNotFoundHandler((request, reply) =>
    refuse(reply, 404, "not_found", `there is no ${request.method} ${request.url}`),
  );
  server.setErrorHandler((thrown, _request, reply) => refuseThrown(reply, thrown));
  guardByKey(server, options.apiKey ?? null);
  server.get("/health", () => ({ status: "ok" }));
  server.get("/v1/models", () => ({
    object: "list",
    data: options.models.map((id) => ({ id, object: "model", created: 0, owned_by: "gradus" })),
  }));
  server.post("/v1/chat/completions", (request, reply) => complete(options, request, reply));
  const url = await listen(server, options.port ?? 0);
  return { url, baseUrl: `${url}/v1`, close: () => server.close() };
}

async function listen(server: FastifyInstance, port: number): Promise<string> {
  try {
    return await server.listen({ host: "127.0.0.1", port });
  } catch (thrown) {
    throw new GradusError("SERVE_FAILED", `cannot listen on 127.0.0.1:${port}: ${messageOf(thrown)}`, {
      hint: "choose another port, or 0 for a free one",
      cause: thrown,
    });
  }
}

function guardByKey(server: FastifyInstance, apiKey: string | null): void {
  if (apiKey === null) return;
  server.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith("/v1/") || request.headers.authorization === `Bearer ${apiKey}`) return;
    await refuse(reply, 401, "invalid_api_key", "the key is missing or wrong");
  });
}

async function complete(
  options: ChatServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const parsed = ChatBody.safeParse(request.body);
  if (!parsed.success) {
    const problem = z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " ");
    return refuse(reply, 400, "invalid_request", problem);
  }
  const bodyHash = keyOf(request.body);
  const modelRequest = modelRequestOf(parsed.data);
  const requestHash = keyOf(modelRequest);
  const answer = options.answer({ body: parsed.data, bodyHash, request: modelRequest, requestHash });
  if ("refusal" in answer) {
    const { status, code, message } = answer.refusal;
    return refuse(reply, status, code, message);
  }
  if (answer.delayMs > 0) await pause(answer.delayMs);
  const id = `chatcmpl-${bodyHash.slice(0, 32)}`;
  const body = completionBody(id, answer.reply, options.fingerprint);
  if (answer.fault === null || options.faults === null) return sendJson(reply, 200, JSON.stringify(body));
  return spoil({ reply, kind: answer.fault, plan: options.faults, body });
}

interface Spoiling {
  readonly reply: FastifyReply;
  readonly kind: FaultKind;
  readonly plan: FaultPlan;
  readonly body: Readonly<Record<string, Json>>;
}

async function spoil({ reply, kind, plan, body }: Spoiling): Promise<FastifyReply> {
  const socket = reply.raw.socket;
  switch (kind) {
    case "hang":
    case "connection_reset":
      reply.hijack();
      if (kind === "hang") await pauseOrClose(plan.hangMs, reply);
      socket?.resetAndDestroy();
      return reply;
    case "cut_body": {
      const bytes = Buffer.from(JSON.stringify(body));
      reply.hijack();
      reply.raw.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
      reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket?.destroy());
      return reply;
    }
    default: {
      const { status, headers, body: text } = spoiltReply(kind, body, plan.retryAfterSeconds);
      return sendJson(reply.headers(headers), status, text);
    }
  }
}

function sendJson(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type("application/json").send(body);
}

/** Refuses in OpenAI's form. */
function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return sendJson(reply, status, JSON.stringify({ error: { message, type, code } }));
}

function refuseThrown(reply: FastifyReply, thrown: unknown): FastifyReply {
  const { statusCode, code } = thrown as { readonly statusCode?: number; readonly code?: string };
  return refuse(reply, statusCode ?? 500, code ?? "internal_error", messageOf(thrown));
}

/** Waits without keeping the process alive. */
function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}

function pauseOrClose(delayMs: number, reply: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    timer.unref();
    reply.raw.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
