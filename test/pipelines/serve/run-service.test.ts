import { afterAll, afterEach, expect, it } from "vitest";
import { type RunServiceOptions, startRunService } from "../../../pipelines/serve/run-service.ts";
import type { RunningService } from "../../../pipelines/serve/service-server.ts";
import { EXAMPLES, GOLD, closeServed, servedRun } from "./served-fixture.ts";

afterAll(closeServed);

const started: RunningService[] = [];
const IDS = EXAMPLES.map(({ id }) => id);

afterEach(async () => {
  for (const service of started.splice(0)) await service.close();
});

async function serve(changes: Partial<RunServiceOptions> = {}): Promise<string> {
  const service = await startRunService(await servedRun(), {
    kind: "env",
    host: "127.0.0.1",
    port: 0,
    token: null,
    bodyLimitBytes: 100_000,
    limits: { maxInFlight: 8, maxWaiting: 200 },
    episodes: { idleMs: 60_000, maxEpisodes: 100 },
    mode: null,
    ...changes,
  });
  started.push(service);
  return service.url;
}

async function post(url: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

it.each([
  ["tools", ["/tools", "/tools/{tool}", "/mcp/{database}"]],
  ["rewards", ["/reward", "/rewards", "/verify", "/seed_session", "/openrlhf"]],
  [
    "env",
    [
      "/tools",
      "/tools/{tool}",
      "/mcp/{database}",
      "/reward",
      "/rewards",
      "/verify",
      "/seed_session",
      "/openrlhf",
      "/start",
      "/step",
      "/end",
    ],
  ],
] as const)("serves %s", async (kind, paths) => {
  const url = await serve({ kind });
  const described = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object };
  expect(Object.keys(described.paths)).toEqual(["/examples", ...paths, "/health", "/metrics"]);
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
    service: kind,
    run: "ferries",
    examples: 3,
  });
});

it("lists ids by pages", async () => {
  const url = await serve();
  expect(await (await fetch(`${url}/examples?offset=1&limit=1`)).json()).toEqual({ total: 3, ids: [IDS[1]] });
  expect(await (await fetch(`${url}/examples?limit=x`)).json()).toEqual({ total: 3, ids: IDS });
});

it("mixes no answers of 64 clients at once", async () => {
  const url = await serve();
  const clients = Array.from({ length: 64 }, async (_, index) => {
    const opened = await post(`${url}/start`, { example_id: IDS[index % 3] });
    expect(opened["example_id"]).toBe(IDS[index % 3]);
    const { episode } = opened;
    const sql = index % 2 === 0 ? GOLD : "SELECT 1";
    const done = await post(`${url}/step`, {
      episode,
      text: `<reasoning>${index}</reasoning><solution>${sql}</solution>`,
    });
    expect(done).toMatchObject({ episode, example_id: IDS[index % 3], reward: index % 2 === 0 ? 1 : 0 });
    expect((done["reply"] as { readonly content: string }).content).toContain(`<reasoning>${index}<`);
  });
  await Promise.all(clients);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain("gradus_episodes_open 0");
});

it("an episode whose client has vanished expires", async () => {
  const url = await serve({ episodes: { idleMs: 30, maxEpisodes: 1 } });
  const { episode } = await post(`${url}/start`, { example_id: IDS[0] });
  const full = await post(`${url}/start`, { example_id: IDS[0] });
  expect(full).toMatchObject({ error: { code: "SERVICE_FULL" } });
  for (let text = ""; !text.includes("gradus_episodes_expired 1"); ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    text = await (await fetch(`${url}/metrics`)).text();
  }
  expect(await post(`${url}/step`, { episode, text: "" })).toMatchObject({
    error: { code: "EPISODE_UNKNOWN" },
  });
  expect(await post(`${url}/start`, { example_id: IDS[0] })).toMatchObject({ done: false });
});
