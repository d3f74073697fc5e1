import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import {
  ACCEPTED,
  type RunningService,
  type ServiceOptions,
  serviceRoute,
  startService,
} from "../../../pipelines/serve/service-server.ts";

const started: RunningService[] = [];

afterEach(async () => {
  for (const service of started.splice(0)) await service.close();
});

const ECHO = serviceRoute({
  method: "POST",
  path: "/echo/:name",
  summary: "Says it again.",
  body: z.strictObject({ text: z.string() }),
  response: z.strictObject({ said: z.string() }),
  isWork: true,
  handle: ({ body, params }) => ({ said: `${params["name"] ?? ""}: ${body.text}` }),
});

async function serve(changes: Partial<ServiceOptions> = {}): Promise<RunningService> {
  const service = await startService({
    title: "echo",
    host: "127.0.0.1",
    port: 0,
    token: null,
    bodyLimitBytes: 2_000,
    limits: { maxInFlight: 4, maxWaiting: 4 },
    routes: [ECHO],
    ...changes,
  });
  started.push(service);
  return service;
}

function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
}

it("answers, and describes itself", async () => {
  const { url } = await serve({ about: { run: "r" } });
  const answer = await post(`${url}/echo/you`, JSON.stringify({ text: "ho\u0000 \ud800" }));
  expect([answer.status, await answer.json()]).toEqual([200, { said: "you: ho\u0000 \ud800" }]);
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok", run: "r" });
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('route="/echo/:name",status="200"} 1');
  const described = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly paths: Record<string, unknown>;
  };
  expect(Object.keys(described.paths)).toEqual(["/echo/{name}", "/health", "/metrics"]);
  expect(JSON.stringify(described.paths["/echo/{name}"])).toContain('"required":["text"]');
});

it.each([
  ['{"text": 1}', 400, "REQUEST_INVALID"],
  ['{"text"', 400, "REQUEST_INVALID"],
  [JSON.stringify({ text: "x".repeat(3_000) }), 413, "REQUEST_TOO_LARGE"],
])("refuses the body %s", async (body, status, code) => {
  const { url } = await serve();
  const answer = await post(`${url}/echo/you`, body.slice(0, 4_000));
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { code } });
});

it("knows no other routes", async () => {
  const { url } = await serve();
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
});

it("sends clients away once too many wait, and says when to come again", async () => {
  const ends: (() => void)[] = [];
  const slow = {
    ...ECHO,
    path: "/slow",
    handle: () => new Promise((resolve) => ends.push(() => resolve({}))),
  };
  const { url } = await serve({ routes: [slow], limits: { maxInFlight: 1, maxWaiting: 1 } });
  const calls = Array.from({ length: 3 }, () => post(`${url}/slow`, '{"text": ""}'));
  const refused = await Promise.race(calls);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({ error: { code: "SERVICE_BUSY" } });
  for (const done of [0, 1]) {
    while (ends.length <= done) await new Promise((resolve) => setTimeout(resolve, 2));
    ends[done]?.();
  }
  const statuses = (await Promise.all(calls)).map(({ status }) => String(status)).sort();
  expect(statuses).toEqual(["200", "200", "429"]);
});

it("needs its token where it has one, but for its health", async () => {
  const { url } = await serve({ token: "hush" });
  const body = JSON.stringify({ text: "ho" });
  expect((await post(`${url}/echo/you`, body)).status).toBe(401);
  expect((await post(`${url}/echo/you`, body, { authorization: "Bearer hash" })).status).toBe(401);
  expect((await post(`${url}/echo/you`, body, { authorization: "Bearer hush" })).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(401);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

it("is not for pages of other sites", async () => {
  const { url } = await serve();
  const body = JSON.stringify({ text: "ho" });
  expect((await post(`${url}/echo/you`, body, { origin: "https://elsewhere.example" })).status).toBe(403);
  expect((await post(`${url}/echo/you`, body, { origin: "http://localhost:3000" })).status).toBe(200);
});

it("has nothing to say to a call that it only takes", async () => {
  const { url } = await serve({ routes: [{ ...ECHO, path: "/taken", handle: () => ACCEPTED }] });
  const answer = await post(`${url}/taken`, JSON.stringify({ text: "" }));
  expect([answer.status, await answer.text()]).toEqual([202, ""]);
});

it("listens beyond this machine only with a token", async () => {
  await expect(serve({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "SERVICE_TOKEN_MISSING" });
  await expect(serve({ host: "0.0.0.0", token: "" })).rejects.toMatchObject({
    code: "SERVICE_TOKEN_MISSING",
  });
});

it("says which port cannot be had", async () => {
  const { url } = await serve();
  const port = Number(new URL(url).port);
  await expect(serve({ port })).rejects.toMatchObject({ code: "SERVE_FAILED" });
});
