import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { Endpoint } from "../../../io/models/endpoint.ts";
import { CircuitOptions, ConcurrencyOptions, HealthCheckOptions } from "../../../io/models/client-options.ts";
import { answersAnything, HealthCheck } from "../../../io/models/health-check.ts";
import { Secret } from "../../../io/models/secret.ts";

const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const silent: RequestListener = () => undefined;

describe("answersAnything", () => {
  it("takes any status for an answer, and sends no key", async () => {
    const asked: unknown[] = [];
    const address = await serve(({ method, url, headers }, response) => {
      asked.push([method, url, headers.authorization]);
      response.writeHead(404).end("no such page");
    });
    expect(await answersAnything(`${address}/`, "models", 1_000)).toBe(true);
    expect(asked).toEqual([["GET", "/v1/models", undefined]]);
  });

  it("takes silence and a closed port for none", async () => {
    expect(await answersAnything(await serve(silent), "models", 30)).toBe(false);
    expect(await answersAnything("http://127.0.0.1:9/v1", "models", 1_000)).toBe(false);
  });
});

function endpointAt(address: string): Endpoint {
  const server = { address, label: "the server", secret: new Secret(null) };
  const options = { concurrency: ConcurrencyOptions.parse({}), circuit: CircuitOptions.parse({}) };
  return new Endpoint(server, options, { isAlone: false });
}

describe("HealthCheck", () => {
  const options = HealthCheckOptions.parse({ everyMs: 15, timeoutMs: 25, failures: 2 });

  it("ends what is open at a silent server, and opens its circuit", async () => {
    const endpoint = endpointAt(await serve(silent));
    const check = new HealthCheck(options);
    const watches = [check.watch(endpoint), check.watch(endpoint)];
    const ended = watches.map(
      ({ signal }) =>
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
    );
    await Promise.all(ended);
    expect(endpoint.circuit.isClosed).toBe(false);
    for (const watch of watches) watch.end(false);
  });

  it("leaves a server alone that answers something, or that is not asked", async () => {
    const slow = endpointAt(await serve((_, response) => response.writeHead(401).end()));
    const unasked = endpointAt(await serve(silent));
    const watches = [
      new HealthCheck(options).watch(slow),
      new HealthCheck({ ...options, path: null }).watch(unasked),
    ];
    await sleep(150);
    expect(watches.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    for (const watch of watches) watch.end(true);
  });

  it("asks nothing once nothing is open", async () => {
    let asked = 0;
    const endpoint = endpointAt(
      await serve((_, response) => {
        asked += 1;
        response.end();
      }),
    );
    const check = new HealthCheck(options);
    check.watch(endpoint).end(true);
    await sleep(60);
    expect(asked).toBe(0);
  });
});
