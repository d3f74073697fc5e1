import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Model } from "../../../core/model.ts";
import { createOpenAiModel } from "../../../io/models/openai-model.ts";
import {
  answer,
  completion,
  cut,
  delayed,
  disconnect,
  events,
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

beforeEach(async () => {
  server = await ModelServer.start(answer("SELECT 1"));
  open = [];
});

afterEach(async () => {
  await Promise.all(open.map((model) => model.close()));
  await server.close();
});

function client(options: object = {}): Model {
  const model = createOpenAiModel({
    baseUrl: server.baseUrl,
    retries: 2,
    retryDelayMs: 1,
    maxRetryDelayMs: 4,
    requestTimeoutMs: 2_000,
    ...options,
  });
  open.push(model);
  return model;
}

function delta(content: string, finish_reason: string | null = null): object {
  return { model: "test-model", choices: [{ index: 0, delta: { content }, finish_reason }] };
}

const error = { error: { message: "the reason", type: "some_error" } };

describe("a completion", () => {
  it("is asked for in full and read in full", async () => {
    server.script(answer("SELECT 2", { token_ids: [9, 8] }));
    const model = client({
      server: "vllm",
      prices: { promptUsdPerMillion: 1, completionUsdPerMillion: 2 },
    });
    const sampling = { ...modelRequest().sampling, stop: ["</sql>"], extra: { min_p: 0.05 } };
    expect(await model.complete(modelRequest({ sampling }), never)).toEqual({
      content: "SELECT 2",
      reasoning: null,
      toolCalls: [],
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7, costMicroUsd: 25 },
      rawExact: true,
      tokenIds: [9, 8],
      servedModel: "test-model",
    });
    expect(server.requests[0]?.path).toBe("/v1/chat/completions");
    expect(server.requests[0]?.body).toEqual({
      model: "test-model",
      messages: [{ role: "user", content: "How many singers?" }],
      temperature: 0.7,
      top_p: 0.9,
      max_tokens: 100,
      stop: ["</sql>"],
      seed: 42,
      top_k: -1,
      include_stop_str_in_output: true,
      return_token_ids: true,
      stream: false,
      min_p: 0.05,
    });
    expect(model.account()).toEqual({
      requests: 1,
      retries: 0,
      promptTokens: 11,
      completionTokens: 7,
      costMicroUsd: 25,
    });
  });

  it("may be long", async () => {
    const long = "x".repeat(1_000_000);
    server.script(answer(long));
    expect((await client().complete(modelRequest(), never)).content).toBe(long);
  });

  it("may be cut by length or filtered, and says so", async () => {
    server.script(
      answer("SEL", { finish_reason: "length" }),
      answer("", { finish_reason: "content_filter" }),
    );
    const model = client();
    expect(await model.complete(modelRequest(), never)).toMatchObject({
      content: "SEL",
      finishReason: "length",
    });
    expect(await model.complete(modelRequest(), never)).toMatchObject({ finishReason: "content_filter" });
    expect(server.requests).toHaveLength(2);
  });

  it("does without token ids on a server that refuses the field", async () => {
    server.script(reply(400, { error: { message: "Unrecognized request argument: return_token_ids" } }));
    const model = client({ server: "sglang" });
    expect(await model.complete(modelRequest(), never)).toMatchObject({
      content: "SELECT 1",
      rawExact: false,
    });
    await model.complete(modelRequest(), never);
    expect(server.requests.map(({ body }) => "return_token_ids" in body)).toEqual([true, false, false]);
  });

  it("sends the same bytes for the same tools", async () => {
    const tools = [
      { name: "run", description: "d", parameters: { type: "object", z: 1, a: { y: 1, b: 2 } } },
    ];
    const model = client();
    await model.complete(modelRequest({ tools }), never);
    await model.complete(modelRequest({ tools: structuredClone(tools) }), never);
    expect(server.requests[0]?.rawBody).toContain('"parameters":{"type":"object","z":1,"a":{"y":1,"b":2}}');
    expect(server.requests[1]?.rawBody).toBe(server.requests[0]?.rawBody);
  });
});

describe("a fault that passes is retried", () => {
  const passing: readonly [string, Step, object?][] = [
    ["a connection closed without a reply", disconnect()],
    ["a reply cut in the middle", cut()],
    ["a hanging request", hang(), { requestTimeoutMs: 500 }],
    ["status 200 with an error body", reply(200, error)],
    ["status 200 with a status in its error", reply(200, { error: { message: "busy", code: 503 } })],
    ["429 with seconds to wait", reply(429, error, { "retry-after": "0.02" })],
    ["429 with a date", reply(429, error, { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" })],
    ["429 with milliseconds", reply(429, error, { "retry-after-ms": "10" })],
    ["408", reply(408, error)],
    ["409", reply(409, error)],
    ["425", reply(425, error)],
    ["500", reply(500, error)],
    ["502 from a proxy", raw(502, "<html>bad gateway</html>", { "content-type": "text/html" })],
    ["503", reply(503, error)],
    ["an empty reply", raw(200, "", { "content-type": "application/json" })],
    ["half JSON", raw(200, '{"choices": [{"mess', { "content-type": "application/json" })],
    ["HTML with status 200", raw(200, "<html>log in</html>", { "content-type": "text/html" })],
    ["JSON that is no object", reply(200, "SELECT 1")],
    ["no choices", reply(200, completion("x", {}, { choices: [] }))],
    ["no text and no tool call", answer(null)],
    ["no finish reason", answer("half", { finish_reason: null })],
  ];

  it.each(passing)("%s", async (_what, step, options = {}) => {
    server.script(step);
    const model = client(options);
    expect((await model.complete(modelRequest(), never)).content).toBe("SELECT 1");
    expect(model.account()).toMatchObject({ requests: 1, retries: 1 });
    expect(server.requests).toHaveLength(2);
  });

  it("a server that is rate-limited for long", async () => {
    server.script(...Array.from({ length: 12 }, () => reply(429, error)));
    expect((await client().complete(modelRequest(), never)).content).toBe("SELECT 1");
    expect(server.requests).toHaveLength(13);
  });

  it("until the attempts run out: the sample stays open", async () => {
    server.script(...Array.from({ length: 3 }, () => reply(500, error)));
    await expect(client().complete(modelRequest(), never)).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      message: `no valid reply in 3 attempts; the last failed with MODEL_SERVER_FAILED: the server at ${server.baseUrl} answered 500: the reason`,
    });
  });

  it("until the circuit gives up on a server that is gone", async () => {
    const options = { retries: 1_000, circuit: { failures: 2, cooldownMs: 5, giveUpAfterMs: 50 } };
    const model = client(options);
    await server.close();
    await expect(model.complete(modelRequest(), never)).rejects.toMatchObject({ code: "MODEL_CIRCUIT_OPEN" });
  });
});

describe("a fault that does not pass", () => {
  const final: readonly [string, Step, string][] = [
    ["400", reply(400, error), "MODEL_REQUEST_REFUSED"],
    ["404", reply(404, { detail: "no such model" }), "MODEL_REQUEST_REFUSED"],
    ["422", reply(422, error), "MODEL_REQUEST_REFUSED"],
    ["401", reply(401, error), "MODEL_KEY_REFUSED"],
    ["403", reply(403, error), "MODEL_KEY_REFUSED"],
    ["401 in status 200", reply(200, { error: { message: "who?", code: 401 } }), "MODEL_KEY_REFUSED"],
    ["402", reply(402, error), "MODEL_BUDGET_SPENT"],
    ["another model", answer("x", {}, { model: "other-model" }), "MODEL_CHANGED"],
    ["a reply over the byte limit", answer("x".repeat(20_000)), "MODEL_REPLY_TOO_LARGE"],
  ];

  it.each(final)("%s is told at once", async (_what, step, code) => {
    server.script(step);
    await expect(client({ maxReplyBytes: 10_000 }).complete(modelRequest(), never)).rejects.toMatchObject({
      code,
    });
    expect(server.requests).toHaveLength(1);
  });

  it("passes on the server's words", async () => {
    server.script(reply(404, { detail: "no such model" }));
    await expect(client().complete(modelRequest(), never)).rejects.toThrow(/answered 404: no such model$/);
  });

  it("takes a dated name for the model that was asked for, except on servers of one's own", async () => {
    const dated = answer("x", {}, { model: "test-model-2026-01-01" });
    server.script(dated, dated, dated);
    expect((await client().complete(modelRequest(), never)).servedModel).toBe("test-model-2026-01-01");
    await expect(client({ server: "vllm" }).complete(modelRequest(), never)).rejects.toMatchObject({
      code: "MODEL_CHANGED",
    });
    const expected = { server: "vllm", servedModel: "test-model-2026-01-01" };
    await client(expected).complete(modelRequest(), never);
  });

  it("is an extra parameter with a field of its own: nothing is sent", async () => {
    const sampling = { ...modelRequest().sampling, extra: { n: 2 } };
    await expect(client().complete(modelRequest({ sampling }), never)).rejects.toMatchObject({
      code: "MODEL_OPTIONS_INVALID",
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe("a streamed completion", () => {
  const usage = { model: "test-model", choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } };
  const whole = [delta("SELECT "), delta("3"), delta("", "stop"), usage, "[DONE]"];

  it("is the same as one that is not", async () => {
    server.script(events(whole));
    expect(await client({ stream: true }).complete(modelRequest(), never)).toMatchObject({
      content: "SELECT 3",
      finishReason: "stop",
      usage: { promptTokens: 3, completionTokens: 2 },
      servedModel: "test-model",
    });
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it.each([
    ["cut by a closed connection", events(whole, 2)],
    ["ended without a finish reason", events([delta("SELECT "), "[DONE]"])],
    ["broken in an event", events([delta("SELECT "), '{"choices": [{"del'])],
    ["with an error event", events([delta("SELECT "), { error: { message: "engine died" } }])],
    ["that answers with an error body instead", reply(200, error)],
  ])("%s is retried", async (_what, step) => {
    server.script(step, events(whole));
    expect((await client({ stream: true }).complete(modelRequest(), never)).content).toBe("SELECT 3");
    expect(server.requests).toHaveLength(2);
  });

  it("that is stopped half-way is no completion", async () => {
    server.script((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(delta("SELECT "))}\n\n`);
    });
    const controller = new AbortController();
    const pending = client({ stream: true }).complete(modelRequest(), controller.signal);
    setTimeout(() => controller.abort(), 60);
    await expect(pending).rejects.toMatchObject({ code: "INTERRUPTED" });
    await expect.poll(() => server.abandoned).toBe(1);
  });
});

describe("load", () => {
  it("stays within the concurrency, which halves when the server is busy", async () => {
    const busy = delayed(10, reply(429, error));
    server.script(busy, busy, busy, busy, ...Array.from({ length: 20 }, () => delayed(5, answer("x"))));
    const model = client({ concurrency: { min: 1, start: 4, max: 4 } });
    await Promise.all(Array.from({ length: 20 }, () => model.complete(modelRequest(), never)));
    expect(server.mostOpen).toBe(4);
    expect(model.account()).toMatchObject({ requests: 20, retries: 4 });
    expect(server.requests).toHaveLength(24);
  });

  it("stops with its signal and closes the connection", async () => {
    server.script(hang());
    const controller = new AbortController();
    const pending = client().complete(modelRequest(), controller.signal);
    setTimeout(() => controller.abort(), 40);
    await expect(pending).rejects.toMatchObject({ code: "INTERRUPTED" });
    await expect.poll(() => server.abandoned).toBe(1);
  });

  it("ends when the client is closed", async () => {
    server.script(hang());
    const model = client();
    const pending = expect(model.complete(modelRequest(), never)).rejects.toMatchObject({
      code: "INTERRUPTED",
    });
    await expect.poll(() => server.requests.length).toBe(1);
    await model.close();
    await pending;
    await expect(model.complete(modelRequest(), never)).rejects.toMatchObject({ code: "INTERRUPTED" });
    expect(server.requests).toHaveLength(1);
  });
});
