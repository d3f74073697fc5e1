import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Model } from "../../../core/model.ts";
import { createAnthropicModel } from "../../../io/models/anthropic-model.ts";
import {
  cut,
  disconnect,
  hang,
  modelRequest,
  ModelServer,
  raw,
  reply,
  type Step,
} from "../../fakes/model-server.ts";

let server: ModelServer;
let open: Model[];
const never = new AbortController().signal;

function message(text: string, parts: Record<string, unknown> = {}): Step {
  return reply(200, {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "test-model",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage: { input_tokens: 10, output_tokens: 6 },
    ...parts,
  });
}

beforeEach(async () => {
  vi.stubEnv("TEST_ANTHROPIC_KEY", "canary-anthropic-4711");
  server = await ModelServer.start(message("SELECT 1"));
  open = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.map((model) => model.close()));
  await server.close();
});

function client(options: object = {}): Model {
  const model = createAnthropicModel({
    baseUrl: server.origin,
    apiKeyVariable: "TEST_ANTHROPIC_KEY",
    apiVersion: "2023-06-01",
    retries: 2,
    retryDelayMs: 1,
    maxRetryDelayMs: 4,
    requestTimeoutMs: 2_000,
    ...options,
  });
  open.push(model);
  return model;
}

const error = { type: "error", error: { type: "some_error", message: "the reason" } };

describe("createAnthropicModel", () => {
  it("asks and reads", async () => {
    const model = client({ prices: { promptUsdPerMillion: 3, completionUsdPerMillion: 15 } });
    expect(await model.complete(modelRequest(), never)).toMatchObject({
      content: "SELECT 1",
      finishReason: "stop",
      usage: { promptTokens: 10, completionTokens: 6, costMicroUsd: 120 },
    });
    expect(server.requests[0]).toMatchObject({
      path: "/v1/messages",
      headers: { authorization: "Bearer canary-anthropic-4711", "anthropic-version": "2023-06-01" },
      body: { model: "test-model", temperature: 0.7, top_p: 0.9, max_tokens: 100 },
    });
  });

  it("takes long generations without streaming", async () => {
    const sampling = { ...modelRequest().sampling, maxTokens: 60_000 };
    expect((await client().complete(modelRequest({ sampling }), never)).content).toBe("SELECT 1");
  });

  const passing: readonly [string, Step, object?][] = [
    ["a broken connection", disconnect()],
    ["a cut reply", cut()],
    ["a hanging request", hang(), { requestTimeoutMs: 500 }],
    ["429", reply(429, error, { "retry-after": "0.01" })],
    ["500", reply(500, error)],
    ["529", reply(529, error)],
    ["status 200 with an error", reply(200, error)],
    ["half JSON", raw(200, '{"content": [', { "content-type": "application/json" })],
    ["HTML", raw(200, "<html></html>", { "content-type": "text/html" })],
    ["an empty message", message("", { content: [] })],
  ];

  it.each(passing)("retries %s", async (_what, step, options = {}) => {
    server.script(step);
    const model = client(options);
    expect((await model.complete(modelRequest(), never)).content).toBe("SELECT 1");
    expect(model.account()).toMatchObject({ requests: 1, retries: 1 });
  });

  it.each([
    ["400", reply(400, error), "MODEL_REQUEST_REFUSED"],
    ["401", reply(401, error), "MODEL_KEY_REFUSED"],
    ["another model", message("x", { model: "other" }), "MODEL_CHANGED"],
  ])("tells %s at once", async (_what, step, code) => {
    server.script(step);
    await expect(client().complete(modelRequest(), never)).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });

  it("needs its key", () => {
    vi.stubEnv("TEST_ANTHROPIC_KEY", "");
    expect(() => client()).toThrow(expect.objectContaining({ code: "MODEL_KEY_MISSING" }));
  });

  it("stops with its signal", async () => {
    server.script(hang());
    const controller = new AbortController();
    const pending = client().complete(modelRequest(), controller.signal);
    setTimeout(() => controller.abort(), 40);
    await expect(pending).rejects.toMatchObject({ code: "INTERRUPTED" });
  });
});
