import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/key.ts";
import tool from "../../../synth/tools/execute-sql-dataframe.ts";
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

describe("execute-sql-dataframe", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect(tool.version).toBe(1);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"sql","description":"Runs one SQL statement on the SQLite database and returns the first rows ' +
        "as a table with column names. Only statements that read are accepted: queries, sqlite_master, and " +
        'PRAGMAs such as table_info(name).","parameters":{"type":"object","properties":{"sql":{"type":"string",' +
        '"description":"The statement to run."}},"required":["sql"],"additionalProperties":false}}',
    );
  });

  it("runs the statement as it is, exploring, within its limits", async () => {
    const runner = new FakeSqlRunner({ [` ${SQL};`]: tableReply(["n"], [[1]]) });
    expect(await run(runner, { sql: ` ${SQL};` }, { maxRows: 5, cpuMs: 100 })).toEqual({
      text: "n\n1\n[1 row]",
      ok: true,
      execution: tableReply(["n"], [[1]]).execution,
    });
    expect(runner.requests).toEqual([
      {
        database: FERRIES,
        sql: ` ${SQL};`,
        mode: "explore",
        limits: { cpuMs: 100, maxRows: 1_000_000, maxBytes: 268_435_456 },
        maxShownRows: 5,
        maxCellCharacters: 200,
      },
    ]);
  });

  it("shows 50 rows of 200 characters a cell unless told otherwise", async () => {
    const rows = Array.from({ length: 60 }, (_, index) => [index, "x".repeat(250)]);
    const { text } = await run(new FakeSqlRunner({ [SQL]: tableReply(["n", "x"], rows) }), { sql: SQL });
    const lines = text.split("\n");
    expect(lines).toHaveLength(52);
    expect(lines[50]).toBe(`49 | ${"x".repeat(200)}…`);
    expect(lines[51]).toBe("[50 of 60 rows shown]");
  });

  it("says that nothing came", async () => {
    const result = await run(new FakeSqlRunner({ [SQL]: tableReply(["n"], []) }), { sql: SQL });
    expect(result).toMatchObject({ text: "n\n[0 rows: the statement ran and gave nothing]", ok: true });
  });

  it.each([
    ["error", "no such table: t", "Error: no such table: t"],
    ["denied", "It writes.", "Refused: It writes."],
    ["timeout", "", "Timeout: the statement was stopped after 30 s of CPU time."],
    ["too_large", "", "Too large: the result has more than 1000000 rows or 268435456 bytes."],
  ] as const)("answers a statement that ends as %s", async (status, message, text) => {
    const reply = failedReply(status, message);
    const result = await run(new FakeSqlRunner({ [SQL]: reply }), { sql: SQL });
    expect(result).toEqual({ text, ok: false, execution: reply.execution });
  });

  it.each<[Readonly<Record<string, Json>>, string]>([
    [{}, "Wrong call: its argument sql is missing, expected a text."],
    [{ sql: null }, "Wrong call: its argument sql is null, expected a text."],
    [{ sql: ["SELECT 1"] }, 'Wrong call: its argument sql is ["SELECT 1"], expected a text.'],
    [{ sql: " \n" }, "Wrong call: its argument sql is empty, expected a statement."],
    [{ sql: SQL, limit: 5 }, 'Wrong call: it has the argument "limit", expected sql alone.'],
    [{ "</sql>": 1 }, 'Wrong call: it has the argument "\\u003c/sql>", expected sql alone.'],
  ])("answers the wrong call %j", async (callArguments, text) => {
    const runner = new FakeSqlRunner();
    expect(await run(runner, callArguments)).toEqual({ text, ok: false, execution: null });
    expect(runner.requests).toEqual([]);
  });

  it("passes on what the machinery throws", async () => {
    const runner = new FakeSqlRunner();
    runner.failure = new Error("no worker");
    await expect(run(runner, { sql: SQL })).rejects.toThrow("no worker");
  });
});
