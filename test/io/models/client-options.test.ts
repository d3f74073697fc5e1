import { describe, expect, it } from "vitest";
import { ClientOptions, parseClientOptions } from "../../../io/models/client-options.ts";

const parse = (given: object): ClientOptions => parseClientOptions(ClientOptions, given);

describe("parseClientOptions", () => {
  it("fills in defaults", () => {
    expect(parse({ baseUrl: "http://127.0.0.1:8000/v1" })).toMatchObject({
      apiKeyVariable: null,
      maxReplyBytes: 8_388_608,
      retries: 8,
      concurrency: { min: 1, start: 8, max: 64 },
      circuit: { failures: 10, cooldownMs: 5_000, giveUpAfterMs: 900_000 },
      maxCostUsd: null,
    });
  });

  it.each([
    ["a key in the address", { baseUrl: "http://user:secret@host/v1" }, /no user, key or query/],
    ["a key in the query", { baseUrl: "http://host/v1?key=secret" }, /no user, key or query/],
    ["another protocol", { baseUrl: "ftp://host/v1" }, /baseUrl/],
    ["a key instead of a name", { baseUrl: "http://host/v1", apiKeyVariable: "sk-1234" }, /apiKeyVariable/],
    ["an unknown option", { baseUrl: "http://host/v1", retry: 3 }, /retry/],
    ["a limit on money without prices", { baseUrl: "http://host/v1", maxCostUsd: 1 }, /expected both/],
    [
      "a start above the most",
      { baseUrl: "http://host/v1", concurrency: { start: 9, max: 2 } },
      /at most max/,
    ],
  ])("refuses %s", (_what, given, message) => {
    expect(() => parse(given)).toThrow(expect.objectContaining({ code: "MODEL_OPTIONS_INVALID" }));
    expect(() => parse(given)).toThrow(message);
    expect(() => parse(given)).not.toThrow(/secret@|key=secret|sk-1234/);
  });
});
