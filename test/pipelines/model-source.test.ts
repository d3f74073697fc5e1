import { afterEach, describe, expect, it, vi } from "vitest";
import { ModelRole } from "../../pipelines/config.ts";
import { createModelSource, type LocalServers, type OpenModelSource } from "../../pipelines/model-source.ts";
import { answer, modelRequest, ModelServer } from "../fakes/model-server.ts";

const never = new AbortController().signal;
const sources: OpenModelSource[] = [];
const servers: ModelServer[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(sources.splice(0).map((source) => source.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serverSaying(content: string): Promise<ModelServer> {
  const server = await ModelServer.start(answer(content));
  servers.push(server);
  return server;
}

/** Local servers that count how often they are started and closed. */
class CountedServers implements LocalServers {
  started: string[] = [];
  closed: string[] = [];

  simulated = (): ReturnType<LocalServers["simulated"]> => this.#start("simulated");
  replay = (): ReturnType<LocalServers["replay"]> => this.#start("replay");

  async #start(kind: string): ReturnType<LocalServers["replay"]> {
    this.started.push(kind);
    const server = await serverSaying(kind);
    return { url: server.origin, close: async () => void this.closed.push(kind) };
  }
}

function sourceOf(roles: Readonly<Record<string, unknown>>, local: LocalServers = new CountedServers()) {
  const parsed = Object.entries(roles).map(([name, role]) => [name, ModelRole.parse(role)] as const);
  const source = createModelSource(Object.fromEntries(parsed), local);
  sources.push(source);
  return source;
}

const SIMULATED = { provider: "simulated", name: "test-model" };
const REPLAY = { provider: "replay", name: "test-model", recording: "./recorded.jsonl" };

describe("a role", () => {
  it("of a server of one's own is asked there", async () => {
    const server = await serverSaying("from afar");
    const source = sourceOf({
      student: { provider: "openai", name: "m", client: { baseUrl: server.baseUrl } },
    });
    const model = await source.open("student");
    expect((await model.complete(modelRequest(), never)).content).toBe("from afar");
    expect(server.requests[0]?.path).toBe("/v1/chat/completions");
  });

  it.each([
    ["simulated", SIMULATED],
    ["replay", REPLAY],
  ])("of the provider %s gets a server, once and when it is first asked for", async (kind, role) => {
    const local = new CountedServers();
    const source = sourceOf({ student: role }, local);
    expect(local.started).toEqual([]);
    const [first, second] = await Promise.all([source.open("student"), source.open("student")]);
    expect(first).toBe(second);
    expect((await first.complete(modelRequest(), never)).content).toBe(kind);
    expect(local.started).toEqual([kind]);
    await source.close();
    expect(local.closed).toEqual([kind]);
  });

  it("of a simulated model that is served already starts nothing", async () => {
    const local = new CountedServers();
    const server = await serverSaying("served already");
    const source = sourceOf({ student: { ...SIMULATED, client: { baseUrl: server.baseUrl } } }, local);
    const model = await source.open("student");
    expect((await model.complete(modelRequest(), never)).content).toBe("served already");
    expect(local.started).toEqual([]);
  });

  it("of several servers is asked at them, each opening at one", async () => {
    const local = new CountedServers();
    const [first, second] = [await serverSaying("one of two"), await serverSaying("one of two")];
    const baseUrls = [first.baseUrl, second.baseUrl];
    const source = sourceOf({ student: { ...SIMULATED, client: { baseUrls } } }, local);
    const model = await source.open("student");
    for (let question = 0; question < 20; question += 1) {
      const content = `question ${question}`;
      const messages = [{ role: "user" as const, content, reasoning: null, toolCalls: [], toolCallId: null }];
      expect((await model.complete(modelRequest({ messages }), never)).content).toBe("one of two");
    }
    expect(local.started).toEqual([]);
    expect(first.requests.length).toBeGreaterThan(0);
    expect(second.requests.length).toBeGreaterThan(0);
    expect(first.requests.length + second.requests.length).toBe(20);
  });

  it("is one of as many as a run has, each with its own server", async () => {
    const roles = ["student", "weak", "strong", "teacher"];
    const served = await Promise.all(roles.map((role) => serverSaying(`the ${role} speaks`)));
    const client = (place: number): object => ({ baseUrl: served[place]?.baseUrl });
    const source = sourceOf(
      Object.fromEntries(
        roles.map((role, place) => [role, { provider: "openai", name: role, client: client(place) }]),
      ),
    );
    for (const role of roles) {
      const model = await source.open(role);
      expect((await model.complete(modelRequest(), never)).content).toBe(`the ${role} speaks`);
    }
    expect([...(await source.opened()).keys()]).toEqual(roles);
  });

  it("that there is not is told with those there are", async () => {
    const source = sourceOf({ student: SIMULATED, teacher: REPLAY });
    await expect(source.open("weak")).rejects.toMatchObject({ code: "MODEL_ROLE_UNKNOWN" });
    await expect(source.open("weak")).rejects.toThrow("student, teacher");
    await expect(sourceOf({}).open("student")).rejects.toThrow("none, since models is empty");
  });

  it("with wrong options is refused when it is opened", async () => {
    const source = sourceOf({ student: { provider: "openai", name: "m", client: { baseUrl: "somewhere" } } });
    await expect(source.open("student")).rejects.toMatchObject({ code: "MODEL_OPTIONS_INVALID" });
  });
});

it("a source tells what it opened, and its models end with it", async () => {
  vi.stubEnv("SOURCE_TEST_KEY", "sk-test");
  const server = await serverSaying("hello");
  const client = { baseUrl: server.baseUrl };
  const source = sourceOf({
    student: { provider: "openai", name: "m", client },
    teacher: { provider: "anthropic", name: "m", client: { ...client, apiKeyVariable: "SOURCE_TEST_KEY" } },
  });
  const model = await source.open("student");
  expect([...(await source.opened()).keys()]).toEqual(["student"]);
  await source.open("teacher");
  expect([...(await source.opened()).keys()]).toEqual(["student", "teacher"]);
  await source.close();
  await expect(model.complete(modelRequest(), never)).rejects.toMatchObject({ code: "INTERRUPTED" });
});

it("closing waits for a server that is on its way, and goes on after one that did not start", async () => {
  const local = new CountedServers();
  const failing: LocalServers = {
    simulated: () => Promise.reject(new Error("no port")),
    replay: local.replay,
  };
  const source = sourceOf({ student: SIMULATED, teacher: REPLAY }, failing);
  const opening = Promise.allSettled([source.open("student"), source.open("teacher")]);
  await source.close();
  expect((await opening).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(local.closed).toEqual(["replay"]);
});
