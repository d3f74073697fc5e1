import { expect, it } from "vitest";
import * as descriptions from "../../synth/tool-descriptions.ts";
import { plugs } from "./synth-rows.ts";

it.each(Object.values(descriptions))("is what the tool $id tells models", async ({ id, schema, shapes }) => {
  expect((await plugs.find("tool", id)).schema).toEqual(schema);
  const { properties } = schema.parameters as { properties: object };
  expect(Object.keys(properties)).toEqual(Object.keys(shapes));
});

it("gives every tool a name of its own", () => {
  const names = Object.values(descriptions).map(({ schema }) => schema.name);
  expect(names.sort()).toEqual([
    "bm25_search_sqlite",
    "database_profiler",
    "exec_sql",
    "execute_sql",
    "full_text_search",
    "memory_retrieve",
    "sqlite_peek",
    "sqlite_query",
  ]);
});
