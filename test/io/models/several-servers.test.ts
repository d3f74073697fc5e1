import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChatMessage, Model, ModelReply } from "../../../core/model.ts";
import { createAnthropicModel } from "../../../io/models/anthropic-model.ts";
import { createOpenAiModel } from "../../../io/models/openai-model.ts";
import { answer, completion, delayed, modelRequest, ModelServer, reply } from "../../fakes/model-server.ts";

const never = new AbortController().signal;
let servers: ModelServer[];
let open: Model[];

beforeEach(async () => {
  servers = [];
  open = [];
  for (const name of ["first", "second", "third"]) servers.push(await ModelServer.start(answer(name)));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.map((model) => model.close()));
  await Promise.all(servers.map((server) => server.close()));
});

function client(options: object = {}): Model {
  const model = createOpenAiModel({
    baseUrls: servers.map(({ baseUrl }) => baseUrl),
    retries: 2,
    retryDelayMs: 1,
    maxRetryDelayMs: 4,
    requestTimeoutMs: 2_000,
    ...options,
  });
  open.push(model);
  return model;
}

function message(role: ChatMessage["role"], content: string): ChatMessage {
  return { role, content, reasoning: null, toolCalls: [], toolCallId: null };
}

/** Asks an opening question, and goes on after the replies that are given. */
function ask(model: Model, question: number, replies: readonly string[] = []): Promise<ModelReply> {
  const turns = replies.flatMap((text) => [message("assistant", text), message("user", "and then?")]);
  return model.complete(
    modelRequest({ messages: [message("user", `question ${question}`), ...turns] }),
    never,
  );
}

async function whoAnswers(model: Model, questions: number): Promise<string[]> {
  const names: string[] = [];
  for (let question = 0; question < questions; question += 1) {
    names.push((await ask(model, question)).content);
  }
  return names;
}

describe("a model with several servers", () => {
  it("is asked for all turns and samples of a question at one of them, and for questions at all", async () => {
    const model = client();
    const names = await whoAnswers(model, 40);
    expect(new Set(names)).toEqual(new Set(["first", "second", "third"]));
    for (const [question, name] of names.entries()) {
      expect((await ask(model, question, ["a reply"])).content).toBe(name);
      expect((await ask(model, question, ["another", "and one more"])).content).toBe(name);
    }
  });

  it("sums its account and tells of each server", async () => {
    const model = client({ prices: { promptUsdPerMillion: 1, completionUsdPerMillion: 1 } });
    const names = await whoAnswers(model, 12);
    const { endpoints, ...account } = model.account();
    expect(account).toEqual({
      requests: 12,
      retries: 0,
      promptTokens: 12 * 11,
      completionTokens: 12 * 7,
      costMicroUsd: 12 * 18,
    });
    expect(endpoints).toEqual(
      ["first", "second", "third"].map((name, place) => ({
        name: `127.0.0.1:${servers[place]?.port}`,
        requests: names.filter((answered) => answered === name).length,
        open: 0,
        isUp: true,
      })),
    );
  });

  it("shares an overload: what has no place at one goes to the others", async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    for (const name of ["first", "second"]) servers.push(await ModelServer.start(delayed(30, answer(name))));
    const model = client({ concurrency: { start: 8, max: 8 } });
    await Promise.all(Array.from({ length: 16 }, () => ask(model, 1)));
    expect(servers.map(({ requests }) => requests.length)).toEqual([8, 8]);
  });

  it("keeps one budget", async () => {
    const prices = { promptUsdPerMillion: 1, completionUsdPerMillion: 1 };
    const model = client({ prices, maxCostUsd: 0.000_2 });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, (_, question) => ask(model, question)));
    expect(asked.some(({ status }) => status === "rejected")).toBe(true);
    expect(model.account().costMicroUsd).toBeLessThanOrEqual(200);
  });

  it("may be Anthropic's", async () => {
    vi.stubEnv("SEVERAL_SERVERS_KEY", "sk-test");
    const body = {
      model: "test-model",
      content: [{ type: "text", text: "SELECT 1" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 3, output_tokens: 2 },
    };
    await Promise.all(servers.splice(0).map((server) => server.close()));
    for (let place = 0; place < 2; place += 1) servers.push(await ModelServer.start(reply(200, body)));
    const model = createAnthropicModel({
      baseUrls: servers.map(({ origin }) => origin),
      apiKeyVariable: "SEVERAL_SERVERS_KEY",
      apiVersion: "2023-06-01",
    });
    open.push(model);
    await whoAnswers(model, 40);
    expect(servers.every(({ requests }) => requests.length > 0)).toBe(true);
  });
});

describe("a server among several", () => {
  const circuit = { failures: 2, cooldownMs: 30, giveUpAfterMs: 10_000 };

  it("that takes requests and answers nothing is left long before they time out", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = silent.address() as AddressInfo;
      const model = client({
        baseUrls: [`http://127.0.0.1:${port}/v1`, ...servers.map(({ baseUrl }) => baseUrl)],
        healthCheck: { everyMs: 20, timeoutMs: 20, failures: 2 },
        circuit: { ...circuit, cooldownMs: 60_000 },
        requestTimeoutMs: 60_000,
      });
      const names = await Promise.all(Array.from({ length: 24 }, (_, question) => ask(model, question)));
      expect(new Set(names.map(({ content }) => content))).toEqual(new Set(["first", "second", "third"]));
      expect(model.account().endpoints?.[0]).toMatchObject({ isUp: false });
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it("that dies is left out, and taken in again when it comes back", async () => {
    const model = client({ circuit });
    const before = await whoAnswers(model, 40);
    const [first] = servers as [ModelServer];
    await first.close();
    const without = await whoAnswers(model, 40);
    expect(without).not.toContain("first");
    for (const [question, name] of before.entries()) {
      if (name !== "first") expect(without[question]).toBe(name);
    }
    expect(model.account().endpoints?.map(({ isUp }) => isUp)).toEqual([false, true, true]);
    servers[0] = await ModelServer.start(answer("first"), Number(new URL(urlOf(0, model)).port));
    await expect.poll(() => whoAnswers(model, 40)).toEqual(before);
    expect(model.account().endpoints?.map(({ isUp }) => isUp)).toEqual([true, true, true]);
    expect(model.account().lastFailure).toBeUndefined();
  });

  it("that answers 503 is left out, and its requests are answered by the others at once", async () => {
    const busy = reply(503, { error: { message: "loading" } }, { "retry-after": "60" });
    const [first] = servers as [ModelServer];
    first.script(...Array.from({ length: 50 }, () => busy));
    const model = client({ circuit: { ...circuit, cooldownMs: 60_000 }, retries: 0 });
    const names = await whoAnswers(model, 40);
    expect(names).not.toContain("first");
    expect(first.requests.length).toBeLessThanOrEqual(2);
    expect(model.account().endpoints?.[0]?.requests).toBe(first.requests.length);
  });

  it("that fails now and then costs a retry elsewhere, and stays in", async () => {
    const [first] = servers as [ModelServer];
    const failing = reply(500, { error: { message: "out of memory" } });
    first.script(failing, answer("first"), failing, answer("first"));
    const model = client({ circuit, retries: 0 });
    expect(await whoAnswers(model, 60)).toContain("first");
    expect(model.account()).toMatchObject({ requests: 60, retries: 2 });
    expect(model.account().endpoints?.every(({ isUp }) => isUp)).toBe(true);
  });

  it("that serves another model ends the run", async () => {
    await servers[2]?.close();
    servers[2] = await ModelServer.start(reply(200, completion("SELECT 1", {}, { model: "another" })));
    const model = client();
    const asked = await Promise.allSettled(Array.from({ length: 40 }, (_, question) => ask(model, question)));
    const codes = asked.flatMap((result) =>
      result.status === "rejected" ? [(result.reason as { code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(["MODEL_CHANGED"]));
  });
});

describe("servers that all fail", () => {
  const circuit = { failures: 2, cooldownMs: 5, giveUpAfterMs: 150 };

  it("end the run with what is wrong with each", async () => {
    const addresses = servers.map(({ baseUrl }) => baseUrl);
    const model = client({ circuit, retries: 1_000 });
    await whoAnswers(model, 12);
    await Promise.all(servers.map((server) => server.close()));
    const asked = await Promise.allSettled([1, 2, 3, 4].map((question) => ask(model, question)));
    for (const result of asked) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "MODEL_CIRCUIT_OPEN" } });
      const { message: said } = (result as PromiseRejectedResult).reason as Error;
      for (const address of addresses) expect(said).toContain(address);
      expect(said).toContain("none of 3 servers works");
    }
  });

  it("leave the sample open when this request alone fails", async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    for (let place = 0; place < 2; place += 1) {
      servers.push(await ModelServer.start(reply(500, { error: { message: "too hard" } })));
    }
    const model = client({ retries: 3, circuit: { failures: 100 } });
    await expect(ask(model, 1)).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      message: expect.stringContaining("in 4 attempts"),
    });
    expect(servers.map(({ requests }) => requests.length)).toEqual([2, 2]);
  });
});

/** The address of a server, from the account: a closed server has none. */
function urlOf(place: number, model: Model): string {
  return `http://${model.account().endpoints?.[place]?.name}`;
}
