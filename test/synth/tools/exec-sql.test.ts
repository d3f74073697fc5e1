import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/key.ts";
import type { QueryReply } from "../../../core/sql-runner.ts";
import tool from "../../../synth/tools/exec-sql.ts";
import { failedReply, FakeSqlRunner, tableReply } from "../../fakes/sql-runner.ts";
import { toolContext } from "../../fakes/tool-context.ts";
import { FERRIES } from "../synth-rows.ts";

const SQL = "SELECT n FROM t";

function run(runner: FakeSqlRunner, callArguments: Readonly<Record<string, Json>>) {
  return tool.run(callArguments, tool.options.parse({}), toolContext(FERRIES, runner));
}

describe("exec-sql", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect(tool.version).toBe(1);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"exec_sql","description":"Runs one SQL statement on the SQLite database and returns the outcome ' +
        "(result, null result or error) with the first rows or the error. Only statements that read are " +
        'accepted.","parameters":{"type":"object","properties":{"code":{"type":"string","description":"The ' +
        'SQL statement to run."}},"required":["code"],"additionalProperties":false}}',
    );
  });

  it.each<[QueryReply, string, boolean]>([
    [tableReply(["n"], [[1], [null]]), "Outcome: result\nn\n1\nNULL\n[2 rows]", true],
    [tableReply(["n"], []), "Outcome: null result\nn\n[0 rows: the statement ran and gave nothing]", true],
    [tableReply(["n", "m"], [[null, null]]), "Outcome: null result\nn | m\nNULL | NULL\n[1 row]", true],
    [tableReply(["n"], [[null]], 2), "Outcome: result\nn\nNULL\n[1 of 2 rows shown]", true],
    [failedReply("error", "no such column: n"), "Outcome: error\nError: no such column: n", false],
    [failedReply("denied", "It writes."), "Outcome: error\nRefused: It writes.", false],
  ])("tells the outcome apart: %#", async (reply, text, ok) => {
    const runner = new FakeSqlRunner({ [SQL]: reply });
    expect(await run(runner, { code: SQL })).toEqual({ text, ok, execution: reply.execution });
    expect(runner.requests[0]).toMatchObject({ sql: SQL, mode: "explore", maxShownRows: 10 });
  });

  it("limits rows and characters, not items of a list", async () => {
    const rows = Array.from({ length: 300 }, () => ["x".repeat(500), "y".repeat(500)]);
    const { text } = await run(new FakeSqlRunner({ [SQL]: tableReply(["a", "b"], rows) }), { code: SQL });
    const lines = text.split("\n");
    expect(lines).toHaveLength(12);
    expect(lines[2]).toBe(`${"x".repeat(100)}… | ${"y".repeat(100)}…`);
    expect(lines[11]).toBe("[9 of 300 rows shown]");
  });

  it.each<[Readonly<Record<string, Json>>, string]>([
    [{ sql: SQL }, "Wrong call: the argument code is missing."],
    [{ code: SQL, sql: SQL }, 'Wrong call: there is no argument "sql", expected code.'],
  ])("answers the wrong call %j", async (callArguments, text) => {
    expect(await run(new FakeSqlRunner(), callArguments)).toEqual({ text, ok: false, execution: null });
  });
});
