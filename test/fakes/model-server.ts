import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelRequest } from "../../core/model.ts";

/** A request as the server saw it. */
export interface ServedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  readonly body: Record<string, unknown>;
}

/** How the server treats one request. */
export type Step = (request: ServedRequest, response: ServerResponse) => void | Promise<void>;

/** A model server on a free port of this machine. Each request takes the next step; after the last, `otherwise`. */
export class ModelServer {
  readonly requests: ServedRequest[] = [];
  /** The most requests that were open at once. */
  mostOpen = 0;
  /** Connections that the client closed before it had a whole reply. */
  abandoned = 0;
  readonly #server: Server;
  readonly #steps: Step[] = [];
  readonly #otherwise: Step;
  #open = 0;

  private constructor(otherwise: Step) {
    this.#otherwise = otherwise;
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const rawBody = Buffer.concat(chunks).toString("utf8");
        const request: ServedRequest = {
          path: incoming.url ?? "",
          headers: incoming.headers,
          rawBody,
          body: JSON.parse(rawBody) as Record<string, unknown>,
        };
        this.requests.push(request);
        this.#open += 1;
        this.mostOpen = Math.max(this.mostOpen, this.#open);
        response.once("close", () => {
          this.#open -= 1;
          if (!response.writableFinished) this.abandoned += 1;
        });
        void (this.#steps.shift() ?? this.#otherwise)(request, response);
      });
    });
  }

  /** `port` 0 takes a free one; that of a server that was closed brings it back. */
  static async start(otherwise: Step = answer("otherwise"), port = 0): Promise<ModelServer> {
    const server = new ModelServer(otherwise);
    await new Promise<void>((resolve) => server.#server.listen(port, "127.0.0.1", resolve));
    return server;
  }

  /** Appends steps for the next requests. */
  script(...steps: Step[]): void {
    this.#steps.push(...steps);
  }

  /** `http://127.0.0.1:<port>`. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

/** A chat completion as an OpenAI-compatible server writes it; `choice` and `top` overwrite its members. */
export function completion(
  content: string | null,
  choice: Record<string, unknown> = {},
  top: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "test-model",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop", ...choice }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    ...top,
  };
}

/** Answers 200 with a completion. */
export function answer(
  content: string | null,
  choice: Record<string, unknown> = {},
  top: Record<string, unknown> = {},
): Step {
  return reply(200, completion(content, choice, top));
}

/** Answers with a status and a JSON body. */
export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return raw(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** Answers with a status and a body as it is. */
export function raw(status: number, body: string, headers: Record<string, string> = {}): Step {
  return (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Does `step` after a while. */
export function delayed(delayMs: number, step: Step): Step {
  return async (request, response) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await step(request, response);
  };
}

/** Never answers. */
export function hang(): Step {
  return () => undefined;
}

/** Closes the connection without a reply. */
export function disconnect(): Step {
  return (_request, response) => {
    response.socket?.destroy();
  };
}

/** Announces a whole completion, sends half of it and closes the connection. */
export function cut(): Step {
  return (_request, response) => {
    const body = JSON.stringify(completion("a reply that is cut in the middle"));
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.write(body.slice(0, body.length / 2), () => response.socket?.destroy());
  };
}

/** Streams server-sent events; `cutAfter` closes the connection after so many of them. */
export function events(chunks: readonly unknown[], cutAfter?: number): Step {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const sent = chunks.slice(0, cutAfter ?? chunks.length);
    const text = sent.map(
      (chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`,
    );
    if (cutAfter === undefined) response.end(text.join(""));
    else response.write(text.join(""), () => response.socket?.destroy());
  };
}

/** A request for `test-model` with one user message; `parts` overwrites members. */
export function modelRequest(parts: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "test-model",
    messages: [
      { role: "user", content: "How many singers?", reasoning: null, toolCalls: [], toolCallId: null },
    ],
    tools: [],
    sampling: { temperature: 0.7, topP: 0.9, topK: -1, maxTokens: 100, stop: [], extra: {} },
    seed: 42,
    ...parts,
  };
}
