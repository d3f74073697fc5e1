import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatError, GradusError } from "../../../core/errors.ts";
import type { Model } from "../../../core/model.ts";
import { createAnthropicModel } from "../../../io/models/anthropic-model.ts";
import { createOpenAiModel } from "../../../io/models/openai-model.ts";
import { events, modelRequest, ModelServer, raw, reply, type Step } from "../../fakes/model-server.ts";

const CANARY = "sk-canary-0123456789abcdef";
const never = new AbortController().signal;
let server: ModelServer;
let printed: string;

beforeEach(async () => {
  vi.stubEnv("TEST_CANARY_KEY", CANARY);
  vi.stubEnv("OPENAI_LOG", "debug");
  vi.stubEnv("ANTHROPIC_LOG", "debug");
  printed = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      printed += String(chunk);
      return true;
    });
  }
  for (const level of ["debug", "info", "log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      printed += inspect(parts, { depth: 10 });
    });
  }
  server = await ModelServer.start();
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server.close();
});

const echo = `your key ${CANARY} is wrong`;
const padding = "x".repeat(290);
const headers = { "x-echo": CANARY, "content-type": "application/json" };
const faults: readonly [string, Step][] = [
  ["an error message", reply(401, { error: { message: echo } }, headers)],
  [
    "a message that is cut in the middle of the key",
    reply(400, { error: { message: `${padding}${CANARY}` } }, headers),
  ],
  ["an error code", reply(400, { error: { message: "m", code: CANARY, param: CANARY } }, headers)],
  ["a text body", raw(500, echo, headers)],
  ["a body in status 200", reply(200, { error: { message: echo, code: 400 } }, headers)],
  ["broken JSON", raw(200, `{"a": "${CANARY}`, headers)],
  ["HTML", raw(200, `<p>${padding.slice(10)} ${CANARY}</p>`, { "content-type": "text/html" })],
  [
    "a finish reason",
    reply(200, { choices: [{ message: { content: "x" }, finish_reason: CANARY }] }, headers),
  ],
  ["a stop reason", reply(200, { content: [{ type: "text", text: "x" }], stop_reason: CANARY }, headers)],
  ["a model name", reply(200, { model: CANARY, choices: [] }, headers)],
  ["an event", events([{ error: { message: echo } }])],
  ["a broken event", events([`{"a": ${CANARY}`])],
  ["a closed connection", (_request, response) => response.socket?.destroy() && undefined],
];

const clients: readonly [string, () => Model][] = [
  ["openai", () => createOpenAiModel({ ...options(), baseUrl: server.baseUrl })],
  ["openai, streaming", () => createOpenAiModel({ ...options(), baseUrl: server.baseUrl, stream: true })],
  [
    "anthropic",
    () => createAnthropicModel({ ...options(), baseUrl: server.origin, apiVersion: "2023-06-01" }),
  ],
];

function options(): { apiKeyVariable: string; retries: number } {
  return { apiKeyVariable: "TEST_CANARY_KEY", retries: 0 };
}

describe.each(clients)("the key of %s", (_client, create) => {
  it.each(faults)("stays out of errors and logs when the server puts it into %s", async (_what, step) => {
    server.script(step);
    const model = create();
    const thrown = await model.complete(modelRequest(), never).catch((error: unknown) => error);
    await model.close();
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(CANARY);
    expect(thrown).toBeInstanceOf(GradusError);
    const everything = [
      formatError(thrown as GradusError),
      inspect(thrown, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(thrown),
      inspect(model, { depth: 20, showHidden: true }),
      printed,
    ].join("\n");
    expect(everything).not.toContain(CANARY.slice(0, 12));
  });
});
