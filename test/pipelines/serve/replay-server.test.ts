import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { keyOf } from "../../../core/key.ts";
import type { ModelReply } from "../../../core/model.ts";
import { createOpenAiModel } from "../../../io/models/openai-model.ts";
import { type ReplayServer, startReplayServer } from "../../../pipelines/serve/replay-server.ts";
import { modelRequest } from "../../fakes/model-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const BODY = {
  model: "m",
  messages: [{ role: "user", content: "How many?" }],
  temperature: 0.7,
  max_tokens: 20,
  seed: 1,
};

const running: ReplayServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function recording(...lines: readonly unknown[]): Promise<string> {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  return path.join(await temporaryFolder({ "recorded.jsonl": `${text}\n` }), "recorded.jsonl");
}

async function start(...lines: readonly unknown[]): Promise<ReplayServer> {
  const server = await startReplayServer(await recording(...lines));
  running.push(server);
  return server;
}

function post(server: ReplayServer, body: unknown): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function content(server: ReplayServer, body: unknown): Promise<string> {
  const response = await post(server, body);
  expect(response.status).toBe(200);
  const reply = (await response.json()) as { choices: { message: { content: string } }[] };
  return reply.choices[0]?.message.content ?? "";
}

describe("startReplayServer", () => {
  it("gives recorded replies in order, then the last one again", async () => {
    const other = { ...BODY, seed: 2 };
    const server = await start(
      { request: BODY, reply: { content: "first" } },
      { request: other, reply: { content: "of another seed" } },
      { request: BODY, reply: { content: "second" } },
    );
    expect(server.requests).toBe(2);
    const given = [];
    for (let call = 0; call < 4; call += 1) given.push(await content(server, BODY));
    expect(given).toEqual(["first", "second", "second", "second"]);
    expect(await content(server, other)).toBe("of another seed");
  });

  it("matches model, messages, sampling and seed, not how a reply travels", async () => {
    const server = await start({ request: BODY, reply: { content: "recorded" } });
    expect(await content(server, { ...BODY, stream: false, n: 1 })).toBe("recorded");
    const changes = [
      { model: "n" },
      { seed: 2 },
      { temperature: 0 },
      { max_tokens: 21 },
      { stop: ["x"] },
      { messages: [] as unknown[] },
    ];
    const statuses = [];
    for (const change of changes) statuses.push((await post(server, { ...BODY, ...change })).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 400]);
  });

  it("names the hash of a request that is not recorded", async () => {
    const server = await start({ request: BODY, reply: { content: "recorded" } });
    const request = modelRequest({ model: "m" });
    const model = createOpenAiModel({ baseUrl: server.baseUrl, retries: 0 });
    const asked = model.complete(request, new AbortController().signal);
    await expect(asked).rejects.toThrow(keyOf(request));
    await model.close();
  });

  it("gives the client of gradus the reply that a ledger has, by the request hash that it has", async () => {
    const request = modelRequest({ model: "m" });
    const reply: ModelReply = {
      content: "Done.",
      reasoning: "Short.",
      toolCalls: [
        { id: "call_9", name: "sql", argumentsRaw: '{"sql":"SELECT 1"}', arguments: { sql: "SELECT 1" } },
      ],
      finishReason: "tool_calls",
      usage: { promptTokens: 7, completionTokens: 3, costMicroUsd: null },
      rawExact: true,
      tokenIds: [1, 2, 3],
      servedModel: "m",
    };
    const server = await start({
      sampleId: "s",
      turn: 0,
      requestHash: keyOf(request),
      reply,
      observation: null,
    });
    const model = createOpenAiModel({ baseUrl: server.baseUrl, server: "vllm" });
    expect(await model.complete(request, new AbortController().signal)).toEqual(reply);
    await model.close();
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({ data: [{ id: "m" }] });
  });

  it.each([
    ['{"reply":{"content":"x"}}', "REPLAY_LINE_INVALID"],
    ['{"requestHash":"abc","reply":{"content":"x"}}', "REPLAY_LINE_INVALID"],
    [`{"requestHash":"${"a".repeat(64)}","reply":{}}`, "REPLAY_LINE_INVALID"],
    ["{", "JSONL_MALFORMED"],
  ])("refuses the line %s", async (line, code) => {
    const file = await recording({ request: BODY, reply: { content: "fine" } }, line);
    await expect(startReplayServer(file)).rejects.toMatchObject({ code, site: { file, line: 2 } });
  });

  it("names a file that is not there", async () => {
    const file = path.join(await temporaryFolder(), "lost.jsonl");
    await expect(startReplayServer(file)).rejects.toMatchObject({ code: "FILE_MISSING" });
  });
});
