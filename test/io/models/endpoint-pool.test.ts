import { describe, expect, it } from "vitest";
import { ClientOptions, parseClientOptions } from "../../../io/models/client-options.ts";
import { type Endpoint, serversOf } from "../../../io/models/endpoint.ts";
import { EndpointPool, type HeldPlace } from "../../../io/models/endpoint-pool.ts";
import { Secret } from "../../../io/models/secret.ts";

const never = new AbortController().signal;
const NONE: ReadonlyMap<Endpoint, number> = new Map();

/** A pool of servers with a clock that the test sets. */
function poolOf(names: readonly string[], options: object = {}) {
  const time = { now: 0 };
  const parsed = parseClientOptions(ClientOptions, {
    baseUrls: names.map((name) => `http://${name}/v1`),
    concurrency: { start: 2, max: 2 },
    circuit: { failures: 1, cooldownMs: 100, giveUpAfterMs: 1_000 },
    ...options,
  });
  return { time, pool: new EndpointPool(serversOf(parsed, new Secret(null)), parsed, () => time.now) };
}

function nameOf({ endpoint }: HeldPlace): string {
  return endpoint.account().name;
}

async function served(pool: EndpointPool, key: string, failures = NONE): Promise<string> {
  const held = await pool.hold({ key, failures }, never);
  held.release("alive", "succeeded");
  return nameOf(held);
}

/** A key that prefers the server of this name. */
async function keyOf(pool: EndpointPool, name: string): Promise<string> {
  for (let index = 0; ; index += 1) {
    if ((await served(pool, `key ${index}`)) === name) return `key ${index}`;
  }
}

describe("a pool of servers", () => {
  it("sends what has one key to one server, and spreads keys", async () => {
    const { pool } = poolOf(["a", "b", "c"]);
    const first = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => served(pool, `key ${key}`)));
    const again = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => served(pool, `key ${key}`)));
    expect(again).toEqual(first);
    expect(new Set(first).size).toBe(3);
  });

  it("sends a request elsewhere when its server has no place and another has", async () => {
    const { pool } = poolOf(["a", "b"]);
    const key = await keyOf(pool, "a");
    const held = await Promise.all([1, 2, 3, 4].map(() => pool.hold({ key, failures: NONE }, never)));
    expect(held.map(nameOf)).toEqual(["a", "a", "b", "b"]);
    for (const place of held) place.release("alive", "succeeded");
  });

  it("retries where a request has failed least", async () => {
    const { pool } = poolOf(["a", "b"], { circuit: { failures: 9 } });
    const key = await keyOf(pool, "a");
    const [first, second] = pool.endpoints as [Endpoint, Endpoint];
    expect(pool.hasFresh(NONE)).toBe(true);
    expect(await served(pool, key, new Map([[first, 1]]))).toBe("b");
    const both = new Map([
      [first, 1],
      [second, 1],
    ]);
    expect(pool.hasFresh(both)).toBe(false);
    expect(pool.hasRested()).toBe(true);
    expect(await served(pool, key, both)).toBe("a");
  });

  it("takes a server out when it fails, probes it with one request, and takes it in again", async () => {
    const { pool, time } = poolOf(["a", "b"]);
    const key = await keyOf(pool, "a");
    (await pool.hold({ key, failures: NONE }, never)).release("failed", "other");
    expect(pool.account().map(({ isUp }) => isUp)).toEqual([false, true]);
    expect(pool.msUntilGivingUp()).toBe(Number.POSITIVE_INFINITY);
    expect(await served(pool, key)).toBe("b");
    time.now = 100;
    const probe = await pool.hold({ key, failures: NONE }, never);
    expect([nameOf(probe), await served(pool, key)]).toEqual(["a", "b"]);
    probe.release("alive", "succeeded");
    expect(await served(pool, key)).toBe("a");
  });

  it("lets nobody wait at a server that was taken out", async () => {
    const { pool } = poolOf(["a", "b"], { concurrency: { start: 1, max: 1 } });
    const key = await keyOf(pool, "a");
    const [atFirst, atSecond] = await Promise.all(
      [1, 2].map(() => pool.hold({ key, failures: NONE }, never)),
    );
    const waiting = pool.hold({ key, failures: NONE }, never);
    atFirst?.release("failed", "other");
    atSecond?.release("alive", "succeeded");
    expect(nameOf(await waiting)).toBe("b");
  });

  it("leaves a server alone that asked for it, as long as another is there", async () => {
    const { pool, time } = poolOf(["a", "b"]);
    const key = await keyOf(pool, "a");
    const [first, second] = pool.endpoints;
    first?.pause.extend(50);
    expect(await served(pool, key)).toBe("b");
    second?.pause.extend(50);
    expect(await served(pool, key)).toBe("a");
    expect(pool.hasRested()).toBe(false);
    time.now = 50;
    expect(pool.hasFresh(NONE)).toBe(true);
  });

  it("gives up when every server has failed for too long, and tells of each", async () => {
    const { pool, time } = poolOf(["a", "b"]);
    (await pool.hold({ key: "x", failures: NONE }, never)).release("alive", "succeeded");
    (await pool.hold({ key: "x", failures: NONE }, never)).release("failed", "other");
    time.now = 50;
    (await pool.hold({ key: "x", failures: NONE }, never)).release("failed", "other");
    expect(pool.msUntilGivingUp()).toBe(1_000);
    time.now = 100;
    const probes = [await pool.hold({ key: "x", failures: NONE }, never)];
    time.now = 1_050;
    probes.push(await pool.hold({ key: "x", failures: NONE }, never));
    await expect(pool.hold({ key: "x", failures: NONE }, never)).rejects.toMatchObject({
      code: "MODEL_CIRCUIT_OPEN",
      message: expect.stringMatching(
        /^none of 2 servers works: the server at http:\/\/a\/v1 .* 1 s; the server at http:\/\/b\/v1 .* 1 s$/,
      ),
    });
    for (const probe of probes) probe.release("alive", "succeeded");
    await served(pool, "x");
  });
});

describe("a single server", () => {
  it("wakes those who wait when its probe succeeds", async () => {
    const { pool, time } = poolOf(["a"]);
    (await pool.hold({ key: null, failures: NONE }, never)).release("failed", "other");
    time.now = 100;
    const probe = await pool.hold({ key: null, failures: NONE }, never);
    const waiting = [1, 2].map(() => pool.hold({ key: null, failures: NONE }, never));
    probe.release("alive", "succeeded");
    expect((await Promise.all(waiting)).map(nameOf)).toEqual(["a", "a"]);
    expect(pool.hasRested()).toBe(false);
  });

  it("passes the probe on when its caller stops", async () => {
    const { pool, time } = poolOf(["a"]);
    (await pool.hold({ key: null, failures: NONE }, never)).release("failed", "other");
    time.now = 100;
    const probe = await pool.hold({ key: null, failures: NONE }, never);
    const next = pool.hold({ key: null, failures: NONE }, never);
    probe.release("unknown", "other");
    (await next).release("alive", "succeeded");
  });

  it("is not taken out because it is busy", async () => {
    const { pool } = poolOf(["a"]);
    (await pool.hold({ key: null, failures: NONE }, never)).release("busy", "overloaded");
    expect(await served(pool, "any")).toBe("a");
  });

  it("stops a waiting caller", async () => {
    const { pool } = poolOf(["a"]);
    (await pool.hold({ key: null, failures: NONE }, never)).release("failed", "other");
    const controller = new AbortController();
    const waiting = pool.hold({ key: null, failures: NONE }, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "INTERRUPTED" });
  });
});
