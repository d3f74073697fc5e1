import { expect, it } from "vitest";
import { ClientOptions, parseClientOptions } from "../../../io/models/client-options.ts";
import { Endpoint, serversOf } from "../../../io/models/endpoint.ts";
import { Secret } from "../../../io/models/secret.ts";

const secret = new Secret(null);
const never = new AbortController().signal;

it("there is a server for each address, in order", () => {
  const baseUrls = ["http://b:8000/v1", "http://a:8000/v1"];
  const options = parseClientOptions(ClientOptions, { baseUrls });
  expect(serversOf(options, secret).map(({ address, label }) => [address, label])).toEqual([
    ["http://b:8000/v1", "the server at http://b:8000/v1"],
    ["http://a:8000/v1", "the server at http://a:8000/v1"],
  ]);
});

it.each([
  ["http://127.0.0.1:8000/v1", "127.0.0.1:8000"],
  ["https://api.example.org/v1/", "api.example.org"],
  ["https://proxy.example.org/model-b/v1", "proxy.example.org/model-b"],
  ["https://api.example.org", "api.example.org"],
])("%s is %s in short, and its figures are its own", async (baseUrl, name) => {
  const options = parseClientOptions(ClientOptions, { baseUrl, circuit: { failures: 1 } });
  const [server] = serversOf(options, secret);
  if (server === undefined) throw new Error("expected a server");
  const endpoint = new Endpoint(server, options, { isAlone: true, clock: () => 0 });
  const slot = await endpoint.gate.acquire(never);
  endpoint.countRequest();
  expect(endpoint.account()).toEqual({ name, requests: 1, open: 1, isUp: true });
  expect([endpoint.load, endpoint.limit, endpoint.isReady]).toEqual([1, 8, true]);
  endpoint.circuit.tryAdmit()?.report("failed");
  slot.release("other");
  expect(endpoint.account()).toEqual({ name, requests: 1, open: 0, isUp: false });
  expect(endpoint.isReady).toBe(false);
});
