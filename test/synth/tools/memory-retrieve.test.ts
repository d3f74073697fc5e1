import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/key.ts";
import type { ShownTurn } from "../../../core/tool.ts";
import tool from "../../../synth/tools/memory-retrieve.ts";
import { FakeSqlRunner } from "../../fakes/sql-runner.ts";
import { toolContext } from "../../fakes/tool-context.ts";
import { FERRIES } from "../synth-rows.ts";

function run(callArguments: Readonly<Record<string, Json>>, history: readonly ShownTurn[]) {
  const context = toolContext(FERRIES, new FakeSqlRunner(), { history });
  return tool.run(callArguments, tool.options.parse({}), context);
}

describe("memory-retrieve", () => {
  it("is told to models in the same bytes everywhere", () => {
    expect([tool.version, tool.needsProfile]).toEqual([1, undefined]);
    expect(JSON.stringify(tool.schema)).toBe(
      '{"name":"memory_retrieve","description":"Returns the earlier questions of this dialogue with their SQL ' +
        "and what was parsed from it (tables, values, conditions and other clauses), beside the same of the " +
        'given statement.","parameters":{"type":"object","properties":{"code":{"type":"string","description":' +
        '"The SQL statement to hold against the earlier turns."}},"required":["code"],' +
        '"additionalProperties":false}}',
    );
  });

  it("tells the earlier turns beside the statement, and never that their SQL is gold", async () => {
    const history = [{ question: "How many boats?", sql: "SELECT count(*) FROM boat WHERE seats > 10" }];
    const code = "SELECT name FROM boat WHERE seats > 10";
    const { text, ok, execution } = await run({ code }, history);
    expect([ok, execution]).toEqual([true, null]);
    expect(text.split("\n")).toEqual([
      "[turn 1 of 1]",
      "question: How many boats?",
      "sql: SELECT count(*) FROM boat WHERE seats > 10",
      "tables: boat",
      "values: 10",
      "output: count(*)",
      "conditions: seats > 10",
      "[this statement]",
      "tables: boat",
      "values: 10",
      "output: name",
      "conditions: seats > 10",
    ]);
  });

  it("says on the first turn that there is no earlier one", async () => {
    expect(await run({ code: "SELECT 1" }, [])).toEqual({
      text: "There is no earlier turn: this is the first question of the dialogue.",
      ok: true,
      execution: null,
    });
  });

  it("stays within its bounds", async () => {
    const history = Array.from({ length: 200 }, () => ({
      question: "q".repeat(9_000),
      sql: `SELECT '${"v".repeat(9_000)}' FROM boat`,
    }));
    const { text } = await run({ code: `SELECT '${"w".repeat(9_000)}'` }, history);
    expect(text.length).toBeLessThan(10_000);
    expect(text).toMatch(/^\[the oldest of them left out: 197\]\n\[turn 198 of 200\]/);
  });

  it("answers a wrong call, also on the first turn", async () => {
    const text = "Wrong call: the argument code is missing.";
    expect(await run({}, [])).toEqual({ text, ok: false, execution: null });
  });
});
