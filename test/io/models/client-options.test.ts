import { describe, expect, it } from "vitest";
import { addressesOf, ClientOptions, parseClientOptions } from "../../../io/models/client-options.ts";

const parse = (given: object): ClientOptions => parseClientOptions(ClientOptions, given);

describe("parseClientOptions", () => {
  it("fills in defaults", () => {
    expect(parse({ baseUrl: "http://127.0.0.1:8000/v1" })).toMatchObject({
      apiKeyVariable: null,
      maxReplyBytes: 8_388_608,
      retries: 8,
      concurrency: { min: 1, start: 8, max: 64 },
      circuit: { failures: 10, cooldownMs: 5_000, giveUpAfterMs: 900_000, firstAnswerWithinMs: 120_000 },
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
    ["no address", {}, /neither baseUrl nor baseUrls/],
    ["two kinds of address", { baseUrl: "http://a/v1", baseUrls: ["http://b/v1"] }, /expected one of them/],
    ["an empty list of addresses", { baseUrls: [] }, /baseUrls/],
    ["an address twice", { baseUrls: ["http://a/v1", "http://a/v1"] }, /has http:\/\/a\/v1 twice/],
    ["a key in one of several addresses", { baseUrls: ["http://u:secret@a/v1"] }, /no user, key or query/],
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

describe("addressesOf", () => {
  it.each([
    ["one", { baseUrl: "http://a/v1", baseUrls: null }, ["http://a/v1"]],
    ["several", { baseUrl: null, baseUrls: ["http://b/v1", "http://a/v1"] }, ["http://b/v1", "http://a/v1"]],
    ["the client's own", { baseUrl: null, baseUrls: null }, ["https://own"]],
  ])("gives %s", (_what, given, expected) => {
    expect(addressesOf(given, "https://own")).toEqual(expected);
  });
});
