import { afterEach, describe, expect, it } from "vitest";
import { keyOf } from "../../../core/key.ts";
import {
  type ChatCall,
  type ChatServerOptions,
  type RunningServer,
  startChatServer,
} from "../../../pipelines/serve/chat-server.ts";

const running: RunningServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const BODY = { model: "m", messages: [{ role: "user", content: "How many?" }], seed: 3 };

async function start(parts: Partial<ChatServerOptions> = {}): Promise<RunningServer> {
  const server = await startChatServer({
    models: ["m", "n"],
    fingerprint: "test",
    faults: null,
    answer: ({ request }) => ({
      reply: {
        content: "3",
        reasoning: null,
        toolCalls: [],
        finishReason: "stop",
        usage: { promptTokens: 4, completionTokens: 1, costMicroUsd: null },
        rawExact: false,
        tokenIds: null,
        servedModel: request.model,
      },
      fault: null,
      delayMs: 0,
    }),
    ...parts,
  });
  running.push(server);
  return server;
}

function post(server: RunningServer, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

describe("startChatServer", () => {
  it("listens on the loopback address alone", async () => {
    const server = await start();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.baseUrl).toBe(`${server.url}/v1`);
  });

  it("answers in OpenAI's form, under an id that the body decides", async () => {
    const server = await start();
    const first = await (await post(server, BODY)).text();
    const reordered = '{"seed":3,"messages":[{"content":"How many?","role":"user"}],"model":"m"}';
    expect(await (await post(server, reordered)).text()).toBe(first);
    expect(JSON.parse(first)).toEqual({
      id: `chatcmpl-${keyOf(BODY).slice(0, 32)}`,
      object: "chat.completion",
      created: 0,
      model: "m",
      system_fingerprint: "test",
      choices: [{ index: 0, message: { role: "assistant", content: "3" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 4, completion_tokens: 1, total_tokens: 5 },
    });
  });

  it("gives calls with their hashes", async () => {
    const calls: ChatCall[] = [];
    const refusal = { status: 404, code: "gone", message: "no such reply" };
    const server = await start({ answer: (call) => (calls.push(call), { refusal }) });
    const response = await post(server, BODY);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: { message: "no such reply", type: "invalid_request_error", code: "gone" },
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ bodyHash: keyOf(BODY), request: { model: "m", seed: 3 } });
    expect(calls[0]?.requestHash).toBe(keyOf(calls[0]?.request));
  });

  it("lists its models and says that it lives", async () => {
    const server = await start();
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({
      object: "list",
      data: [{ id: "m" }, { id: "n" }],
    });
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: "ok" });
  });

  it("refuses a wrong key and none with 401, but lets anybody ask whether it lives", async () => {
    const server = await start({ apiKey: "right" });
    const wrong: Record<string, string>[] = [
      {},
      { authorization: "Bearer wrong" },
      { authorization: "right" },
    ];
    for (const headers of wrong) {
      const response = await post(server, BODY, headers);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("right");
    }
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(401);
    expect((await post(server, BODY, { authorization: "Bearer right" })).status).toBe(200);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  it("refuses unknown routes with 404 and bad bodies with 400", async () => {
    const server = await start();
    const lost = await fetch(`${server.baseUrl}/completions`, { method: "POST" });
    expect(lost.status).toBe(404);
    expect(await lost.json()).toHaveProperty("error.message", "there is no POST /v1/completions");
    expect((await post(server, '{"model":')).status).toBe(400);
    const nameless = await post(server, { messages: BODY.messages });
    expect(nameless.status).toBe(400);
    expect(await nameless.text()).toContain("model");
    expect((await post(server, { ...BODY, stream: true })).status).toBe(400);
  });

  it("refuses a body over the limit with 413", async () => {
    const server = await start({ bodyLimitBytes: 1000 });
    const response = await post(server, { ...BODY, user: "x".repeat(1000) });
    expect(response.status).toBe(413);
    expect(await response.json()).toHaveProperty("error.type", "invalid_request_error");
    expect((await post(server, BODY)).status).toBe(200);
  });

  it("takes long prompts unless a limit is given", async () => {
    const server = await start();
    const messages = [{ role: "user", content: "x".repeat(4_000_000) }];
    expect((await post(server, { ...BODY, messages })).status).toBe(200);
  });

  it("tells a failure of its own with 500", async () => {
    const server = await start({
      answer: () => {
        throw new Error("broken inside");
      },
    });
    const response = await post(server, BODY);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { message: "broken inside", type: "server_error", code: "internal_error" },
    });
  });

  it("names a port that is taken", async () => {
    const server = await start();
    const port = Number(new URL(server.url).port);
    await expect(start({ port })).rejects.toMatchObject({
      code: "SERVE_FAILED",
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    });
  });

  it("closes although a reply is still due", async () => {
    const server = await start({
      answer: () => ({
        reply: {
          content: "",
          reasoning: null,
          toolCalls: [],
          finishReason: "stop",
          usage: { promptTokens: 0, completionTokens: 0, costMicroUsd: null },
          rawExact: false,
          tokenIds: null,
          servedModel: "m",
        },
        fault: null,
        delayMs: 600_000,
      }),
    });
    const waiting = expect(post(server, BODY)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.close();
    await waiting;
  });
});
