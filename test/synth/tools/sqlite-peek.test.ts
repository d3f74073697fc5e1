import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/key.ts";
import type { ToolContext } from "../../../core/tool.ts";
import tool from "../../../synth/tools/sqlite-peek.ts";
import { FERRIES_PROFILE } from "../../fakes/profiler.ts";
import { FakeSqlRunner } from "../../fakes/sql-runner.ts";
import { toolContext } from "../../fakes/tool-context.ts";
import { FERRIES } from "../synth-rows.ts";

function run(callArguments: Readonly<Record<string, Json>>, parts: Partial<ToolContext> = {}) {
  const context = toolContext(FERRIES, new FakeSqlRunner(), { profile: FERRIES_PROFILE, ...parts });
  return tool.run(callArguments, tool.options.parse({}), context);
}

describe("sqlite-peek", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect([tool.version, tool.needsProfile]).toEqual([1, true]);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"sqlite_peek","description":"Returns the profile of one column: its type and description, keys, ' +
        'rows, NULLs, distinct values, smallest, largest and most frequent values.","parameters":{' +
        '"type":"object","properties":{"table":{"type":"string","description":"The table that has the ' +
        'column."},"column":{"type":"string","description":"The column to look at."}},' +
        '"required":["table","column"],"additionalProperties":false}}',
    );
  });

  it("tells the profile of a column", async () => {
    expect(await run({ table: "Boat", column: "NAME" })).toEqual({
      text:
        "column: boat.name\ntype: TEXT\ndescription: The name on the bow.\nrows: 3\nNULL: 0 (0%)\n" +
        "distinct: 2\nstored as: 3 text\nsmallest: 'Gull'\nlargest: 'Tern'\nmost frequent: 'Tern', 'Gull'",
      ok: true,
      execution: null,
    });
    const { text } = await run({ table: "crossing", column: "boat_id" });
    expect(text).toContain("\nreferences: boat.boat_id (declared)\n");
    expect((await run({ table: "boat", column: "boat_id" })).text).toContain(
      "\nprimary key: part 1\nreferenced by: crossing.boat_id (declared)\n",
    );
    expect((await run({ table: "boat", column: "built" })).text).toContain("\nNULL: 1 (33.33%)\n");
  });

  it.each<[Readonly<Record<string, Json>>, string]>([
    [{ table: "boat" }, "Wrong call: the argument column is missing."],
    [
      { table: "ship", column: "name" },
      'Wrong call: the argument table is "ship", expected one of "boat", "crossing".',
    ],
    [
      { table: "boat", column: "island" },
      'Wrong call: the argument column is "island", expected one of "boat_id", "name", "seats", "built".',
    ],
  ])("answers the wrong call %j", async (callArguments, text) => {
    expect(await run(callArguments)).toEqual({ text, ok: false, execution: null });
  });

  it("says that there is no profile, of the database or of the table", async () => {
    const call = { table: "boat", column: "name" };
    expect(await run(call, { profile: null })).toEqual({
      text: "No profile was made of the database ferries.",
      ok: false,
      execution: null,
    });
    expect(await run(call, { profile: { ...FERRIES_PROFILE, tables: [] } })).toEqual({
      text: "The table could not be read: nothing is known of its cells.",
      ok: false,
      execution: null,
    });
  });
});
