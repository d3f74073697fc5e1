import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/key.ts";
import tool from "../../../synth/tools/sqlite-query.ts";
import { failedReply, FakeSqlRunner, tableReply } from "../../fakes/sql-runner.ts";
import { toolContext } from "../../fakes/tool-context.ts";
import { FERRIES } from "../synth-rows.ts";

const SQL = "SELECT n FROM t";

function run(runner: FakeSqlRunner, callArguments: Readonly<Record<string, Json>>) {
  return tool.run(callArguments, tool.options.parse({}), toolContext(FERRIES, runner));
}

describe("sqlite-query", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect(tool.version).toBe(1);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"sqlite_query","description":"Runs one SQL statement on the SQLite database, read-only, and ' +
        "returns the first rows as a table with column names and the number of rows in all, or the error. " +
        'PRAGMAs that describe the schema are accepted.","parameters":{"type":"object","properties":{"sql":{' +
        '"type":"string","description":"The statement to run."}},"required":["sql"],' +
        '"additionalProperties":false}}',
    );
  });

  it("shows 20 rows of 150 characters a cell as a table", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => [index, "x".repeat(151)]);
    const reply = tableReply(["n", "x"], rows);
    const runner = new FakeSqlRunner({ [SQL]: reply });
    const { text, ok, execution } = await run(runner, { sql: SQL });
    const lines = text.split("\n");
    expect(lines).toHaveLength(22);
    expect(lines[20]).toBe(`19 | ${"x".repeat(150)}…`);
    expect(lines[21]).toBe("[20 of 30 rows shown]");
    expect([ok, execution]).toEqual([true, reply.execution]);
    expect(runner.requests[0]).toMatchObject({ mode: "explore", limits: { cpuMs: 30_000 } });
  });

  it("says why a statement failed", async () => {
    const reply = failedReply("error", "no such table: t");
    expect(await run(new FakeSqlRunner({ [SQL]: reply }), { sql: SQL })).toEqual({
      text: "Error: no such table: t",
      ok: false,
      execution: reply.execution,
    });
  });

  it("answers a wrong call", async () => {
    const text = "Wrong call: the argument sql is missing.";
    expect(await run(new FakeSqlRunner(), {})).toEqual({ text, ok: false, execution: null });
  });
});
