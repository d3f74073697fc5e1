import { describe, expect, it } from "vitest";
import { GradusError } from "../../../core/errors.ts";
import {
  abortFailure,
  classifyFailure,
  complaintOf,
  errorBodyFailure,
  statusError,
} from "../../../io/models/attempt-failure.ts";
import { Secret } from "../../../io/models/secret.ts";

const KEY = "canary-key-4711";
const server = { label: "the server", secret: new Secret("A_KEY", { A_KEY: KEY }) };

describe("statusError", () => {
  it.each([
    [400, "MODEL_REQUEST_REFUSED", "final"],
    [401, "MODEL_KEY_REFUSED", "final"],
    [402, "MODEL_BUDGET_SPENT", "final"],
    [403, "MODEL_KEY_REFUSED", "final"],
    [404, "MODEL_REQUEST_REFUSED", "final"],
    [408, "MODEL_TIMED_OUT", "slow"],
    [409, "MODEL_SERVER_FAILED", "retry"],
    [422, "MODEL_REQUEST_REFUSED", "final"],
    [425, "MODEL_SERVER_FAILED", "retry"],
    [429, "MODEL_RATE_LIMITED", "busy"],
    [500, "MODEL_SERVER_FAILED", "retry"],
    [502, "MODEL_SERVER_FAILED", "retry"],
    [503, "MODEL_OVERLOADED", "busy"],
    [504, "MODEL_TIMED_OUT", "slow"],
    [529, "MODEL_OVERLOADED", "busy"],
  ])("sorts status %i as %s", (status, code, kind) => {
    const error = statusError(status, { message: "why", code: "" }, server);
    expect(error).toMatchObject({ code, message: `the server answered ${status}: why` });
    expect(classifyFailure(error, server).kind).toBe(kind);
  });

  it("names the environment variable of a refused key, and asks for one where none is set", () => {
    const complaint = { message: `${KEY} is wrong`, code: "" };
    expect(statusError(401, complaint, server)).toMatchObject({
      message: "the server answered 401: [A_KEY] is wrong",
      hint: "check the key in the environment variable A_KEY",
    });
    const keyless = { label: "the server", secret: new Secret(null) };
    expect(statusError(401, complaint, keyless).hint).toMatch(/apiKeyVariable/);
  });

  it("does not wait for a quota that is spent", () => {
    const error = statusError(429, { message: "no money", code: "insufficient_quota" }, server);
    expect(error.code).toBe("MODEL_BUDGET_SPENT");
  });
});

describe("classifyFailure", () => {
  it("reads status, body and headers of the client libraries' errors", () => {
    const headers = new Map([["retry-after", "2"]]);
    const thrown = Object.assign(new Error("429"), { status: 429, error: { message: "slow down" }, headers });
    expect(classifyFailure(thrown, server)).toMatchObject({
      error: { code: "MODEL_RATE_LIMITED", message: "the server answered 429: slow down" },
      kind: "busy",
      retryAfterMs: 2_000,
    });
  });

  it("finds our own error inside theirs, and takes an error event of a stream for what it says", () => {
    const wrapped = new Error("Connection error.", {
      cause: new GradusError("MODEL_REPLY_CUT", `at ${KEY}`),
    });
    expect(classifyFailure(wrapped, server)).toMatchObject({
      error: { code: "MODEL_REPLY_CUT", message: "at [A_KEY]" },
      kind: "retry",
    });
    const event = Object.assign(new Error("x"), { error: { message: "engine died", code: 500 } });
    expect(classifyFailure(event, server).error.code).toBe("MODEL_SERVER_FAILED");
  });

  it("never retries what it does not know", () => {
    expect(classifyFailure(new TypeError(`bug with ${KEY}`), server)).toMatchObject({
      error: { code: "MODEL_CLIENT_FAILED", message: "cannot ask the server: bug with [A_KEY]" },
      kind: "final",
    });
  });
});

describe("abortFailure", () => {
  it("tells of a server that answers nothing, which another one may stand in for", () => {
    expect(abortFailure("silent", 5, server)).toMatchObject({
      error: { code: "MODEL_SERVER_SILENT" },
      kind: "retry",
    });
  });

  it("tells a stop from a timeout", () => {
    expect(abortFailure("stopped", 5, server).error.code).toBe("INTERRUPTED");
    expect(abortFailure("too slow", 5, server)).toMatchObject({
      error: { code: "MODEL_TIMED_OUT" },
      kind: "slow",
    });
  });
});

describe("errors inside a reply", () => {
  it.each([
    [{ error: { message: "a", code: 429 } }, { message: "a", code: "429" }],
    [{ error: { message: "a", type: "overloaded_error" } }, { message: "a", code: "overloaded_error" }],
    [{ error: "a" }, { message: "a", code: "" }],
    [
      { object: "error", message: "a", code: 400 },
      { message: "a", code: "400" },
    ],
    [{ detail: [{ loc: ["n"] }] }, { message: '[{"loc":["n"]}]', code: "" }],
    ["plain text", { message: "plain text", code: "" }],
    [null, { message: "otherwise", code: "" }],
  ])("are found in %j", (body, complaint) => {
    expect(complaintOf(body, "otherwise")).toEqual(complaint);
  });

  it("count as the status that they hold", () => {
    expect(errorBodyFailure({ message: "a", code: "401" }, server).code).toBe("MODEL_KEY_REFUSED");
    expect(errorBodyFailure({ message: "a", code: "server_error" }, server).code).toBe("MODEL_REPLY_ERROR");
  });
});
