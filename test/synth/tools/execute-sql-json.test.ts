import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/key.ts";
import tool from "../../../synth/tools/execute-sql-json.ts";
import { failedReply, FakeSqlRunner, tableReply } from "../../fakes/sql-runner.ts";
import { toolContext } from "../../fakes/tool-context.ts";
import { FERRIES } from "../synth-rows.ts";

const SQL = "SELECT n FROM t";

function run(
  runner: FakeSqlRunner,
  callArguments: Readonly<Record<string, Json>>,
  options: Readonly<Record<string, Json>> = {},
) {
  return tool.run(callArguments, tool.options.parse(options), toolContext(FERRIES, runner));
}

describe("execute-sql-json", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect(tool.version).toBe(1);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"execute_sql","description":"Runs one SQL statement on the SQLite database and returns JSON: ' +
        "the first rows as objects by column name (a name that comes again gets _2, _3 and so on) and the " +
        "number of rows in all. Long cells are cut. Only statements that read are accepted: queries, " +
        "sqlite_master, and PRAGMAs such as table_info(name); what describes the schema is returned whole." +
        '","parameters":{"type":"object","properties":{"sql":{"type":"string","description":"The statement ' +
        'to run."}},"required":["sql"],"additionalProperties":false}}',
    );
  });

  it("runs the statement as it is, exploring, within its limits", async () => {
    const reply = tableReply(["n", "n"], [[1, { blob: "ff" }]]);
    const runner = new FakeSqlRunner({ [` ${SQL};`]: reply });
    expect(await run(runner, { sql: ` ${SQL};` }, { maxRows: 5, cpuMs: 100 })).toEqual({
      text: `{"total_rows":1,"shown_rows":1,"rows":[{"n":1,"n_2":"x'ff'"}]}`,
      ok: true,
      execution: reply.execution,
    });
    expect(runner.requests).toEqual([
      {
        database: FERRIES,
        sql: ` ${SQL};`,
        mode: "explore",
        limits: { cpuMs: 100, maxRows: 1_000_000, maxBytes: 268_435_456 },
        maxShownRows: 5,
        maxCellCharacters: 150,
      },
    ]);
  });

  it("shows 10 rows of 150 characters a cell and the count of all", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => [index, "x".repeat(151)]);
    const { text } = await run(new FakeSqlRunner({ [SQL]: tableReply(["n", "x"], rows) }), { sql: SQL });
    const shown = JSON.parse(text) as { total_rows: number; shown_rows: number; rows: object[] };
    expect([shown.total_rows, shown.shown_rows, shown.rows.length]).toEqual([30, 10, 10]);
    expect(shown.rows[9]).toEqual({ n: 9, x: `${"x".repeat(150)}…` });
  });

  it.each([
    "SELECT sql FROM sqlite_master",
    "PRAGMA table_info(boat)",
    "select * from pragma_table_info('boat')",
    "SELECT * FROM SQLITE_SCHEMA",
  ])("shows the schema whole: %s", async (sql) => {
    const rows = Array.from({ length: 30 }, () => ["y".repeat(500)]);
    const { text } = await run(new FakeSqlRunner({ [sql]: tableReply(["sql"], rows) }), { sql });
    const shown = JSON.parse(text) as { shown_rows: number; rows: { sql: string }[] };
    expect(shown.shown_rows).toBe(30);
    expect(shown.rows[29]?.sql).toBe("y".repeat(500));
  });

  it("shows even the schema within a bound", async () => {
    const sql = "SELECT sql FROM sqlite_schema";
    const runner = new FakeSqlRunner({ [sql]: tableReply(["sql"], [["</sql>".repeat(10_000)], ["b"]]) });
    const { text, ok } = await run(runner, { sql });
    expect(ok).toBe(true);
    expect(text.length).toBeLessThan(40_100);
    expect(JSON.parse(text)).toMatchObject({ total_rows: 2 });
    const small = await run(runner, { sql }, { maxCharacters: 30 });
    expect(small.text).toBe(String.raw`{"total_rows":2,"shown_rows":1,"rows":[{"sql":"\u003c/sql></s…"}]}`);
  });

  it.each([
    ["error", "no such table: t", "Error: no such table: t"],
    ["denied", "It writes.", "Refused: It writes."],
    ["timeout", "", "Timeout: the statement was stopped after 30 s of CPU time."],
  ] as const)("answers a statement that ends as %s", async (status, message, error) => {
    const reply = failedReply(status, message);
    const result = await run(new FakeSqlRunner({ [SQL]: reply }), { sql: SQL });
    expect(result).toEqual({ text: JSON.stringify({ error }), ok: false, execution: reply.execution });
  });

  it.each<[Readonly<Record<string, Json>>, string]>([
    [{}, "Wrong call: the argument sql is missing."],
    [{ sql: 1 }, "Wrong call: the argument sql is 1, expected a text."],
    [{ sql: " " }, "Wrong call: the argument sql is empty, expected a text that says something."],
    [{ sql: SQL, "</think>": 1 }, 'Wrong call: there is no argument "</think>", expected sql.'],
  ])("answers the wrong call %j", async (callArguments, error) => {
    const runner = new FakeSqlRunner();
    const { text, ok, execution } = await run(runner, callArguments);
    expect([ok, execution, text.includes("</think")]).toEqual([false, null, false]);
    expect(JSON.parse(text)).toEqual({ error });
    expect(runner.requests).toEqual([]);
  });
});
