import { describe, expect, it } from "vitest";
import { GradusError } from "../../../core/errors.ts";
import { ClientOptions, parseClientOptions } from "../../../io/models/client-options.ts";
import { Secret } from "../../../io/models/secret.ts";
import { ServerCaller, type ServerTask } from "../../../io/models/server-caller.ts";

const server = { address: "http://127.0.0.1:1/v1", label: "the server", secret: new Secret(null) };
const never = new AbortController().signal;
const quick = { baseUrl: "http://127.0.0.1:1/v1", retries: 2, retryDelayMs: 1, maxRetryDelayMs: 2 };

function caller(options: object = {}): ServerCaller {
  return new ServerCaller(parseClientOptions(ClientOptions, { ...quick, ...options }), [server]);
}

/** A task that meets the given failures in turn, then gives its number of attempts. */
function task(
  failures: readonly (Error | "hang")[],
  parts: Partial<ServerTask<number>> = {},
): ServerTask<number> {
  let attempts = 0;
  return {
    promptBytes: 100,
    maxTokens: 10,
    stickyKey: () => "one",
    send: (signal) => {
      const failure = failures[attempts];
      attempts += 1;
      if (failure === "hang") {
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
      }
      return failure === undefined ? Promise.resolve(attempts) : Promise.reject(failure);
    },
    countTokens: () => ({ promptTokens: 50, completionTokens: 5 }),
    read: (reply) => reply as number,
    ...parts,
  };
}

const failed = new GradusError("MODEL_SERVER_FAILED", "the server answered 500: why");
const busy = new GradusError("MODEL_RATE_LIMITED", "the server answered 429: later");
const many = (error: Error, count: number): Error[] => Array.from({ length: count }, () => error);

describe("ServerCaller", () => {
  it("retries until there is a valid reply and counts what it did", async () => {
    const calls = caller({ prices: { promptUsdPerMillion: 2, completionUsdPerMillion: 4 } });
    expect(await calls.call(task([failed, failed]), never)).toEqual({ value: 3, costMicroUsd: 120 });
    expect(calls.account()).toEqual({
      requests: 1,
      retries: 2,
      promptTokens: 50,
      completionTokens: 5,
      costMicroUsd: 120,
    });
  });

  it("gives up after its retries, with the last failure as cause", async () => {
    await expect(caller().call(task(many(failed, 3)), never)).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      message:
        "no valid reply in 3 attempts; the last failed with MODEL_SERVER_FAILED: the server answered 500: why",
      cause: { code: "MODEL_SERVER_FAILED" },
    });
  });

  it("does not count a busy server's refusals", async () => {
    expect((await caller().call(task(many(busy, 12)), never)).value).toBe(13);
  });

  it("pays for replies that turn out invalid", async () => {
    let reads = 0;
    const calls = caller();
    const read = (): number => {
      reads += 1;
      if (reads === 1) throw new GradusError("MODEL_REPLY_INVALID", "empty");
      return reads;
    };
    expect((await calls.call(task([], { read }), never)).value).toBe(2);
    expect(calls.account()).toMatchObject({
      requests: 1,
      retries: 1,
      promptTokens: 100,
      completionTokens: 10,
    });
  });

  it("throws final errors at once", async () => {
    const changed = new GradusError("MODEL_CHANGED", "another model");
    const calls = caller();
    await expect(calls.call(task([changed]), never)).rejects.toMatchObject({ code: "MODEL_CHANGED" });
    expect(calls.account()).toMatchObject({ requests: 1, retries: 0 });
  });

  it("ends a hanging attempt by its timeout and tries again", async () => {
    expect((await caller({ requestTimeoutMs: 20 }).call(task(["hang"]), never)).value).toBe(2);
  });

  it.each([
    ["an attempt", {}, ["hang" as const]],
    ["the wait before a retry", { retryDelayMs: 60_000, maxRetryDelayMs: 60_000 }, [failed]],
  ])("stops during %s", async (_what, options, failures) => {
    const controller = new AbortController();
    const pending = caller(options).call(task(failures), controller.signal);
    setTimeout(() => controller.abort(), 10);
    await expect(pending).rejects.toMatchObject({ code: "INTERRUPTED" });
    await expect(caller().call(task([]), controller.signal)).rejects.toMatchObject({ code: "INTERRUPTED" });
  });

  it("keeps a reply that came before the stop", async () => {
    const controller = new AbortController();
    const send = (): Promise<number> => {
      controller.abort();
      return Promise.resolve(7);
    };
    expect((await caller().call(task([], { send }), controller.signal)).value).toBe(7);
  });

  it("stops a run whose server fails for all callers", async () => {
    const calls = caller({ retries: 1_000, circuit: { failures: 2, cooldownMs: 5, giveUpAfterMs: 60 } });
    const pending = [1, 2, 3].map(() => calls.call(task(many(failed, 2_000)), never));
    for (const result of await Promise.allSettled(pending)) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "MODEL_CIRCUIT_OPEN" } });
    }
  });

  it("stops a run whose server is busy for ever, however long it asks to wait", async () => {
    const asks = Object.assign(new Error("429"), {
      status: 429,
      headers: new Map([["retry-after", "3600"]]),
    });
    const calls = caller({ circuit: { giveUpAfterMs: 40 } });
    const pending = [1, 2].map(() => calls.call(task(many(asks, 1_000)), never));
    for (const result of await Promise.allSettled(pending)) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "MODEL_CIRCUIT_OPEN" } });
    }
  });

  it("sends nothing that the budget cannot pay", async () => {
    const prices = { promptUsdPerMillion: 1, completionUsdPerMillion: 1 };
    const calls = caller({ prices, maxCostUsd: 0.000_16 });
    await calls.call(task([]), never);
    await expect(calls.call(task([]), never)).rejects.toMatchObject({ code: "MODEL_BUDGET_SPENT" });
    expect(calls.account()).toMatchObject({ requests: 1, costMicroUsd: 55 });
  });
});
