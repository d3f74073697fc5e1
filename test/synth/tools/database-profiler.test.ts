import { describe, expect, it } from "vitest";
import type { InferredForeignKey } from "../../../core/database-profile.ts";
import type { Json } from "../../../core/key.ts";
import type { ToolContext } from "../../../core/tool.ts";
import tool from "../../../synth/tools/database-profiler.ts";
import { FERRIES_PROFILE } from "../../fakes/profiler.ts";
import { FakeSqlRunner } from "../../fakes/sql-runner.ts";
import { toolContext } from "../../fakes/tool-context.ts";
import { FERRIES } from "../synth-rows.ts";

const KEY: InferredForeignKey = {
  table: "crossing",
  column: "passengers",
  referencedTable: "boat",
  referencedColumn: "seats",
  evidence: { distinct: 4, contained: 1, names: "table_name" },
};

function run(callArguments: Readonly<Record<string, Json>>, parts: Partial<ToolContext> = {}) {
  const context = toolContext(FERRIES, new FakeSqlRunner(), { profile: FERRIES_PROFILE, ...parts });
  return tool.run(callArguments, tool.options.parse({}), context);
}

describe("database-profiler", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect([tool.version, tool.needsProfile]).toEqual([1, true]);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"database_profiler","description":"Returns JSON with what is known of a table and its columns: ' +
        "descriptions, rows, declared and stored types, distinct values, the share of NULL, sample values, and " +
        'foreign keys that the schema does not declare but the data suggests.","parameters":{"type":"object",' +
        '"properties":{"table":{"type":"string","description":"The table to describe; all tables when left ' +
        'out."},"columns":{"type":"array","items":{"type":"string"},"description":"The columns of that table ' +
        'to describe; all of them when left out."}},"required":[],"additionalProperties":false}}',
    );
  });

  it("tells what is known of some columns, in the schema's order, with the keys that they take part in", async () => {
    const profile = { ...FERRIES_PROFILE, inferredForeignKeys: [KEY] };
    const result = await run({ table: "BOAT", columns: ["Seats", "name", "seats"] }, { profile });
    expect(result).toEqual({
      text:
        '{"tables":[{"table":"boat","description":"Boats of the company.","rows":3,"columns":[' +
        '{"column":"name","type":"TEXT","description":"The name on the bow.","stored_as":{"text":3},' +
        '"distinct":2,"null_ratio":0,"samples":["Tern","Gull"]},' +
        '{"column":"seats","type":"INTEGER","stored_as":{"integer":2,"text":1},"distinct":3,' +
        '"null_ratio":0,"samples":["12","40","many"]}]}],' +
        '"inferred_foreign_keys":[{"table":"crossing","column":"passengers","referenced_table":"boat",' +
        '"referenced_column":"seats","contained":1}]}',
      ok: true,
      execution: null,
    });
  });

  it("tells all columns of a table, and all tables", async () => {
    const one = JSON.parse((await run({ table: "crossing" })).text) as { tables: { columns: object[] }[] };
    expect(one.tables).toMatchObject([{ table: "crossing", rows: 9 }]);
    expect(one.tables[0]?.columns[3]).toEqual({
      column: "passengers",
      type: "INTEGER",
      stored_as: {},
      distinct: 0,
      null_ratio: 1,
      samples: [],
    });
    const all = JSON.parse((await run({})).text) as { tables: { columns: object[] }[] };
    expect(all.tables.map(({ columns }) => columns.length)).toEqual([4, 4]);
  });

  it.each<[Readonly<Record<string, Json>>, string]>([
    [{ table: "ship" }, 'Wrong call: the argument table is "ship", expected one of "boat", "crossing".'],
    [
      { table: "crossing", columns: ["boat_id", "name"] },
      'Wrong call: the argument columns is "name", expected one of "crossing_id", "boat_id", "island", "passengers".',
    ],
    [{ columns: ["name"] }, "Wrong call: it has the argument columns alone, expected their table too."],
    [{ table: "boat", columns: "name" }, 'Wrong call: the argument columns is "name", expected a list.'],
  ])("answers the wrong call %j", async (callArguments, error) => {
    const { text, ok } = await run(callArguments);
    expect([ok, JSON.parse(text)]).toEqual([false, { error }]);
  });

  it("says that there is no profile", async () => {
    const text = '{"error":"No profile was made of the database ferries."}';
    expect(await run({ table: "boat" }, { profile: null })).toEqual({ text, ok: false, execution: null });
  });

  it("stays within its bound on a wide database", async () => {
    const columns = FERRIES.schema.tables[0]!.columns;
    const tables = Array.from({ length: 500 }, (_, number) => ({
      name: `t${number}`,
      comment: "",
      columns: Array.from({ length: 50 }, (_column, place) => ({ ...columns[0]!, name: `c${place}` })),
    }));
    const { text } = await run({}, { database: { ...FERRIES, schema: { ...FERRIES.schema, tables } } });
    expect(text.length).toBeLessThan(20_100);
    expect(JSON.parse(text)).toHaveProperty("tables_not_shown");
  });
});
