import { afterAll, expect, it } from "vitest";
import { toolRoutes } from "../../../pipelines/serve/tool-routes.ts";
import { EXAMPLES, GOLD, closeServed, servedParts } from "./served-fixture.ts";
import { callRoute } from "./service-calls.ts";

afterAll(closeServed);

const { run, rollouts, episodes } = await servedParts();
episodes.close();
const routes = toolRoutes({ run, rollouts });
const [FIRST, , THIRD] = EXAMPLES.map(({ id }) => id);

function runTool(tool: string, body: object): Promise<Record<string, unknown>> {
  return callRoute(routes, "/tools/:tool", body, { params: { tool } });
}

it("lists the tools of a scaffold as a model is told of them", async () => {
  const listed = await callRoute(routes, "/tools", null, { query: { scaffold: "retool-sql" } });
  const tools = listed["tools"] as readonly { readonly function: { readonly name: string } }[];
  expect(tools.map((tool) => tool.function.name)).toEqual([
    "sqlite_query",
    "sqlite_peek",
    "bm25_search_sqlite",
  ]);
});

it("runs a tool by its id or its name, on an example's database or a named one", async () => {
  const sql = { arguments: { sql: GOLD } };
  const byId = await runTool("execute-sql-dataframe", { example_id: FIRST, ...sql });
  expect(byId).toMatchObject({ ok: true, execution: { status: "ok" } });
  expect(byId["text"]).toContain("Tern");
  const named = await runTool("sqlite_query", { db_id: "ferries", scaffold: "retool-sql", ...sql });
  expect(named).toMatchObject({ ok: true });
});

it("remembers the dialogue of an example", async () => {
  const told = await runTool("memory_retrieve", {
    example_id: THIRD,
    scaffold: "mtsql-r1",
    arguments: { code: GOLD },
  });
  expect(told["text"]).toContain("How many boats?");
});

it("a wrong call is an answer; an unknown tool or database is not", async () => {
  expect(await runTool("sqlite_query", { db_id: "ferries", scaffold: "retool-sql" })).toMatchObject({
    ok: false,
  });
  await expect(runTool("nothing", { db_id: "ferries" })).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
  const nowhere = runTool("execute-sql-dataframe", { db_id: "nowhere" });
  await expect(nowhere).rejects.toMatchObject({ code: "DATABASE_UNKNOWN" });
});
