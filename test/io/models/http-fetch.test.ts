import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpFetch, type HttpFetch } from "../../../io/models/http-fetch.ts";
import { Secret } from "../../../io/models/secret.ts";
import {
  answer,
  cut,
  delayed,
  disconnect,
  events,
  hang,
  ModelServer,
  raw,
  reply,
} from "../../fakes/model-server.ts";

let server: ModelServer;
let http: HttpFetch;

beforeEach(async () => {
  server = await ModelServer.start();
  http = createHttpFetch(1_000, { label: "the server", secret: new Secret(null) });
});

afterEach(async () => {
  await http.close();
  await server.close();
});

const post = (signal?: AbortSignal): Promise<Response> =>
  http.fetch(server.baseUrl, {
    method: "POST",
    headers: new Headers({ "content-type": "application/json", "x-given": "yes" }),
    body: '{"a":1}',
    ...(signal === undefined ? {} : { signal }),
  });

describe("createHttpFetch", () => {
  it("sends headers and body and reads a reply whole", async () => {
    server.script(delayed(5, reply(200, { b: "é" }, { "x-got": "yes" })));
    const response = await post();
    expect([response.ok, response.status, response.headers.get("x-got")]).toEqual([true, 200, "yes"]);
    expect(await response.json()).toEqual({ b: "é" });
    expect(server.requests[0]).toMatchObject({ rawBody: '{"a":1}', headers: { "x-given": "yes" } });
  });

  it("gives error bodies one shape", async () => {
    server.script(raw(500, "worker died"), reply(422, { detail: "no n" }), raw(502, ""));
    expect(await (await post()).text()).toBe('{"error":{"message":"worker died","code":""}}');
    expect(await (await post()).json()).toEqual({ error: { message: "no n", code: "" } });
    expect(await (await post()).json()).toEqual({
      error: { message: "status 502 without a body", code: "" },
    });
  });

  it.each([
    ["a broken connection", disconnect(), "MODEL_CONNECTION_FAILED"],
    ["a reply that is cut", cut(), "MODEL_REPLY_CUT"],
    ["a reply that is too large", answer("x".repeat(1_000)), "MODEL_REPLY_TOO_LARGE"],
  ])("throws for %s", async (_what, step, code) => {
    server.script(step);
    await expect(post()).rejects.toMatchObject({ code });
  });

  it("throws when nobody listens", async () => {
    const { baseUrl } = server;
    await server.close();
    await expect(http.fetch(baseUrl, { method: "POST", body: "{}" })).rejects.toMatchObject({
      code: "MODEL_CONNECTION_FAILED",
    });
  });

  it("throws for broken JSON when it is read", async () => {
    server.script(raw(200, '{"choices": [{"mess', { "content-type": "application/json" }));
    await expect((await post()).json()).rejects.toMatchObject({ code: "MODEL_REPLY_INVALID" });
  });

  it("passes events on as they come, under the same limit", async () => {
    server.script(events(["one", "two"]), events(["x".repeat(2_000)]));
    const decoder = new TextDecoder();
    const read = async (): Promise<string> => {
      let text = "";
      const body = (await post()).body as unknown as AsyncIterable<Uint8Array>;
      for await (const chunk of body) text += decoder.decode(chunk);
      return text;
    };
    expect(await read()).toBe("data: one\n\ndata: two\n\n");
    await expect(read()).rejects.toMatchObject({ code: "MODEL_REPLY_TOO_LARGE" });
  });

  it("lets a stop through as it is and closes the connection", async () => {
    server.script(hang());
    const controller = new AbortController();
    const pending = post(controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => server.abandoned).toBe(1);
  });
});
