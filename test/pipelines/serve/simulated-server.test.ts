import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createOpenAiModel } from "../../../io/models/openai-model.ts";
import { openAiBody } from "../../../io/models/openai-request.ts";
import { keyOf } from "../../../core/key.ts";
import type { RunningServer } from "../../../pipelines/serve/chat-server.ts";
import type { FaultKind } from "../../../pipelines/serve/faults.ts";
import {
  type RequestLogLine,
  type SimulatedServerOptions,
  startSimulatedServer,
} from "../../../pipelines/serve/simulated-server.ts";
import { singleTurnPrompt } from "../../../synth/prompts/single-turn.ts";
import { createSimulatedModel } from "../../../synth/simulated/respond.ts";
import { modelRequest } from "../../fakes/model-server.ts";
import { example, FERRIES } from "../../synth/synth-rows.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const QUESTION = {
  example: example("1", {
    question: "Which boats are big?",
    gold: ["SELECT name FROM boat WHERE seats > 20"],
  }),
  schema: FERRIES.schema,
};
const MODEL = createSimulatedModel([QUESTION], { competence: 1 });
const MESSAGES = singleTurnPrompt(QUESTION.example, "CREATE TABLE boat (\nname TEXT\n);", "questions").map(
  ({ role, content }) => ({ role, content }),
);
const BODY = { model: "simulated-student", messages: MESSAGES, seed: 1, max_tokens: 500 };

const running: RunningServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(parts: Partial<SimulatedServerOptions> = {}): Promise<RunningServer> {
  const server = await startSimulatedServer({ model: MODEL, ...parts });
  running.push(server);
  return server;
}

function post(server: RunningServer, body: unknown = BODY): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

interface Completion {
  readonly model: string;
  readonly system_fingerprint: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

async function completion(response: Response): Promise<Completion> {
  expect(response.status).toBe(200);
  return (await response.json()) as Completion;
}

function logged(file: string): RequestLogLine[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as RequestLogLine);
}

describe("startSimulatedServer", () => {
  it("answers as its model does, equal requests with equal bytes, and says that it is a simulation", async () => {
    const server = await start();
    const text = await (await post(server)).text();
    expect(await (await post(server)).text()).toBe(text);
    const { choices, model, system_fingerprint } = JSON.parse(text) as Completion;
    expect(choices[0]?.message.content.toLowerCase()).toMatch(
      /<\/think>\n\n```sql\nselect name from boat where seats > 20;?\n```$/,
    );
    expect([model, system_fingerprint]).toEqual(["simulated-student", "gradus-simulated"]);
    const models = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toEqual(["simulated-student"]);
  });

  it("keeps the stop string where that is asked for", async () => {
    const server = await start();
    const text = async (more: object): Promise<string> => {
      const { choices } = await completion(await post(server, { ...BODY, stop: ["</think>"], ...more }));
      return choices[0]?.message.content ?? "";
    };
    expect(await text({ include_stop_str_in_output: true })).toMatch(/<\/think>$/);
    expect(await text({ no_stop_trim: true })).toMatch(/<\/think>$/);
    expect(await text({})).not.toContain("</think>");
  });

  it("has logged each request before it answers it, failures included", async () => {
    const file = path.join(await temporaryFolder(), "requests.jsonl");
    const faults = { rate: 1, kinds: ["server_500"] as const, mostPerRequest: 1 };
    const server = await start({ log: file, faults });
    expect((await post(server)).status).toBe(500);
    expect(logged(file)).toHaveLength(1);
    expect((await post(server)).status).toBe(200);
    expect(logged(file)).toHaveLength(2);
    await post(server, { ...BODY, seed: undefined, model: "other@0.5" });
    const line = { hash: keyOf(BODY), model: "simulated-student", seed: 1, messages: 2 };
    expect(logged(file)).toMatchObject([
      { ...line, order: 0, attempt: 0, fault: "server_500" },
      { ...line, order: 1, attempt: 1, fault: null },
      { order: 2, attempt: 0, model: "other@0.5", seed: null, messages: 2, fault: "server_500" },
    ]);
  });

  it("logs the request hash that a ledger has", async () => {
    const file = path.join(await temporaryFolder(), "requests.jsonl");
    const server = await start({ log: file });
    const request = modelRequest({ model: "simulated-student" });
    const dialect = { server: "vllm", maxTokensField: "max_tokens", reasoningField: "reasoning" } as const;
    await post(server, openAiBody(request, { ...dialect, wantsTokenIds: false, stream: false }));
    expect(logged(file)[0]?.requestHash).toBe(keyOf(request));
  });

  it("answers all of many requests at once, in whatever order", async () => {
    const file = path.join(await temporaryFolder(), "requests.jsonl");
    const server = await start({ log: file, delayMs: 1, delaySpreadMs: 20 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, seed) => completion(await post(server, { ...BODY, seed }))),
    );
    expect(replies).toHaveLength(40);
    expect(logged(file).map(({ order }) => order)).toEqual(Array.from({ length: 40 }, (_, order) => order));
    expect(new Set(logged(file).map(({ seed }) => seed)).size).toBe(40);
  });

  it("serves the client of gradus, through every failure that is retried", async () => {
    const server = await start({ faults: { rate: 0.6, retryAfterSeconds: 0 } });
    const model = createOpenAiModel({ baseUrl: server.baseUrl, retryDelayMs: 0, circuit: { cooldownMs: 0 } });
    const { signal } = new AbortController();
    for (let seed = 0; seed < 20; seed += 1) {
      const messages = MESSAGES.map((message) => ({
        ...message,
        reasoning: null,
        toolCalls: [],
        toolCallId: null,
      }));
      const request = modelRequest({ model: "simulated-student", messages, seed });
      const reply = await model.complete(request, signal);
      expect(reply).toMatchObject({ finishReason: "stop", servedModel: "simulated-student" });
      expect(reply.content).toContain("</think>");
    }
    expect(model.account().retries).toBeGreaterThan(5);
    await model.close();
  });
});

/** A server whose first reply to each request fails in this way. */
async function failing(kind: FaultKind): Promise<RunningServer> {
  return start({ faults: { rate: 1, kinds: [kind], mostPerRequest: 1, hangMs: 50, retryAfterSeconds: 7 } });
}

describe("planned faults", () => {
  it.each(["connection_reset", "hang"] as const)("%s ends the connection without a reply", async (kind) => {
    const server = await failing(kind);
    await expect(post(server)).rejects.toThrow("fetch failed");
    await completion(await post(server));
  });

  it("cut_body ends the connection in the middle of the reply", async () => {
    const server = await failing("cut_body");
    const response = await post(server);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await completion(await post(server));
  });

  it("error_200 is an error under status 200", async () => {
    const server = await failing("error_200");
    const body: unknown = await (await post(server)).json();
    expect(body).toEqual({
      error: expect.objectContaining({ message: expect.any(String) as string }) as object,
    });
    expect((await completion(await post(server))).choices).toHaveLength(1);
  });

  it("rate_limit_429 says how long to wait", async () => {
    const server = await failing("rate_limit_429");
    const response = await post(server);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    await completion(await post(server));
  });

  it("server_500 is an error of the server", async () => {
    const server = await failing("server_500");
    const response = await post(server);
    expect(response.status).toBe(500);
    expect(await response.json()).toHaveProperty("error.type", "server_error");
    await completion(await post(server));
  });

  it("empty_reply is a completion without text", async () => {
    const server = await failing("empty_reply");
    const { choices } = await completion(await post(server));
    expect(choices).toEqual([
      { index: 0, message: { role: "assistant", content: "" }, finish_reason: "stop" },
    ]);
  });

  it("half_json is half a reply that claims to be whole", async () => {
    const server = await failing("half_json");
    const response = await post(server);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(/^\{"id":"chatcmpl-/);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it("changed_model is a completion of another model", async () => {
    const server = await failing("changed_model");
    expect((await completion(await post(server))).model).toBe("another-model");
    expect((await completion(await post(server))).model).toBe("simulated-student");
  });

  it("a hang ends with the server", async () => {
    const server = await start({ faults: { rate: 1, kinds: ["hang"], hangMs: 600_000 } });
    const waiting = expect(post(server)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.close();
    await waiting;
  });
});
