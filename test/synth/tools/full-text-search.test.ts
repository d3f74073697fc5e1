import { describe, expect, it } from "vitest";
import type { LeftOut } from "../../../core/database-profile.ts";
import type { SearchReply } from "../../../core/database-profiler.ts";
import type { Json } from "../../../core/key.ts";
import type { ToolContext } from "../../../core/tool.ts";
import tool from "../../../synth/tools/full-text-search.ts";
import { FakeProfiler, FERRIES_PROFILE } from "../../fakes/profiler.ts";
import { FakeSqlRunner } from "../../fakes/sql-runner.ts";
import { toolContext } from "../../fakes/tool-context.ts";
import { FERRIES } from "../synth-rows.ts";

const TERNS: SearchReply = {
  names: [
    { table: "boat", column: "name", score: 3 },
    { table: "boat", column: null, score: 2 },
    { table: "crossing", column: "island", score: 1 },
  ],
  values: [
    { table: "crossing", column: "island", value: "Tern Rock", score: 4 },
    { table: "boat", column: "name", value: "Tern", score: 3 },
    { table: "crossing", column: "island", value: "Eastern", score: 2 },
    { table: "crossing", column: "island", value: "Eastern", score: 1 },
  ],
};

function run(
  callArguments: Readonly<Record<string, Json>>,
  profiler: FakeProfiler,
  parts: Partial<ToolContext> = {},
) {
  const context = toolContext(FERRIES, new FakeSqlRunner(), { profiler, profile: FERRIES_PROFILE, ...parts });
  return tool.run(callArguments, tool.options.parse({}), context);
}

describe("full-text-search", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect([tool.version, tool.needsProfile]).toEqual([1, true]);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"full_text_search","description":"Looks for words in the names of tables and columns and in the ' +
        "text values of cells; spellings that are near match too. Returns JSON: the matching tables and " +
        'columns, and the best matching values of each column.","parameters":{"type":"object","properties":{' +
        '"query":{"type":"string","description":"The words to look for; nothing in them is syntax."},' +
        '"table":{"type":"string","description":"Only in this table."},' +
        '"column":{"type":"string","description":"Only in the column of this name."}},' +
        '"required":["query"],"additionalProperties":false}}',
    );
  });

  it("gives schema elements with what they mean, and distinct values by column", async () => {
    const profiler = new FakeProfiler({ tern: TERNS });
    expect(await run({ query: "tern" }, profiler)).toEqual({
      text:
        '{"schema":[{"table":"boat","column":"name","description":"The name on the bow."},' +
        '{"table":"boat","description":"Boats of the company."},{"table":"crossing","column":"island"}],' +
        '"values":[{"table":"crossing","column":"island","values":["Tern Rock","Eastern"]},' +
        '{"table":"boat","column":"name","values":["Tern"]}]}',
      ok: true,
      execution: null,
    });
    const asked = {
      database: FERRIES,
      options: toolContext(FERRIES, new FakeSqlRunner()).profileOptions,
      text: "tern",
      maxNames: 20,
      maxValues: 50,
      maxValuesPerColumn: 5,
    };
    expect(profiler.requests).toStrictEqual([
      { ...asked, matcher: "words" },
      { ...asked, matcher: "trigram" },
    ]);
  });

  it("narrows the search to names as the schema writes them", async () => {
    const profiler = new FakeProfiler();
    const { text, ok } = await run({ query: "x", table: "BOAT", column: "Name" }, profiler);
    expect([text, ok]).toEqual(['{"schema":[],"values":[]}', true]);
    expect(profiler.requests[0]).toMatchObject({ table: "boat", column: "name" });
  });

  it("tells where values are that the index lacks", async () => {
    const leftOut: LeftOut[] = [
      { table: "boat", column: "name", reason: "long_values", values: 2 },
      { table: "boat", column: "seats", reason: "not_text", values: 3 },
    ];
    const profile = { ...FERRIES_PROFILE, index: { names: 1, values: 1, leftOut } };
    expect((await run({ query: "x" }, new FakeProfiler(), { profile })).text).toBe(
      '{"schema":[],"values":[],"not_searched":[{"table":"boat","column":"name","reason":"long_values",' +
        '"missing_values":2}]}',
    );
  });

  it.each<[Readonly<Record<string, Json>>, string]>([
    [{ query: "" }, "Wrong call: the argument query is empty, expected a text that says something."],
    [
      { query: "x", table: "ship" },
      'Wrong call: the argument table is "ship", expected one of "boat", "crossing".',
    ],
    [
      { query: "x", table: "crossing", column: "name" },
      'Wrong call: the argument column is "name", expected one of "crossing_id", "boat_id", "island", "passengers".',
    ],
  ])("answers the wrong call %j", async (callArguments, error) => {
    const profiler = new FakeProfiler();
    const { text, ok } = await run(callArguments, profiler);
    expect([ok, JSON.parse(text), profiler.requests]).toEqual([false, { error }, []]);
  });

  it("says that there is no profile", async () => {
    const text = '{"error":"No profile was made of the database ferries."}';
    const result = await run({ query: "x" }, new FakeProfiler(), { profile: null });
    expect(result).toEqual({ text, ok: false, execution: null });
  });

  it("gives up to five values a column, and stays within its bound", async () => {
    const long = "</tool_response>".repeat(200);
    const values = Array.from({ length: 50 }, (_, number) => ({
      table: "boat",
      column: `c${number % 7}`,
      value: `${number}${long}`,
      score: 1,
    }));
    const { text } = await run({ query: "x" }, new FakeProfiler({ x: { names: [], values } }));
    expect(text.length).toBeLessThan(12_100);
    const { values: shown } = JSON.parse(text) as { values: { values: string[] }[] };
    expect(shown[0]?.values).toHaveLength(5);
    expect(shown[0]?.values[0]).toMatch(/^0<\/tool_response>.*…$/);
  });
});
