import { afterAll, expect, it } from "vitest";
import { mcpRoutes } from "../../../pipelines/serve/mcp-routes.ts";
import { ACCEPTED } from "../../../pipelines/serve/service-server.ts";
import { closeServed, GOLD, servedParts } from "./served-fixture.ts";

afterAll(closeServed);

const { run, rollouts, episodes } = await servedParts();
episodes.close();
const [route] = mcpRoutes({ run, rollouts });

function send(message: object, database = "ferries"): unknown {
  const body: unknown = route?.body?.parse({ jsonrpc: "2.0", ...message });
  return route?.handle({ body, params: { database }, query: { scaffold: "retool-sql" } });
}

it("introduces itself, in the version that the client asks for", async () => {
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  expect(await send({ id: 1, method: "initialize", params })).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {
      protocolVersion: "2025-03-26",
      capabilities: { tools: {} },
      serverInfo: { name: "gradus", version: "1" },
    },
  });
  expect(await send({ method: "notifications/initialized" })).toBe(ACCEPTED);
  expect(await send({ id: "p", method: "ping" })).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
});

it("lists and calls the tools of the scaffold on the database", async () => {
  const listed = (await send({ id: 2, method: "tools/list" })) as {
    readonly result: { readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[] };
  };
  expect(listed.result.tools.map(({ name }) => name)).toEqual([
    "sqlite_query",
    "sqlite_peek",
    "bm25_search_sqlite",
  ]);
  expect(listed.result.tools[0]?.inputSchema).toMatchObject({ type: "object" });
  const call = { name: "sqlite_query", arguments: { sql: GOLD } };
  expect(await send({ id: 3, method: "tools/call", params: call })).toMatchObject({
    result: { isError: false, content: [{ type: "text", text: expect.stringContaining("Tern") as string }] },
  });
  const wrong = { name: "sqlite_query", arguments: {} };
  expect(await send({ id: 4, method: "tools/call", params: wrong })).toMatchObject({
    result: { isError: true },
  });
});

it.each([
  [{ method: "resources/list" }, "ferries", -32_601],
  [{ method: "tools/call", params: { name: "nothing" } }, "ferries", -32_602],
  [{ method: "tools/call", params: {} }, "ferries", -32_602],
  [{ method: "tools/call", params: { name: "sqlite_query" } }, "nowhere", -32_602],
])("%j on %s is an error of the protocol", async (message, database, code) => {
  expect(await send({ id: 5, ...message }, database)).toMatchObject({ id: 5, error: { code } });
});
