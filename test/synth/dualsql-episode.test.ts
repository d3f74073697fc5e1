import { describe, expect, it } from "vitest";
import type { Message } from "../../core/trajectory.ts";
import {
  type DualSqlOptions,
  dualSqlOptions,
  dualSqlTools,
  generatorOptions,
  keepDualSqlReply,
  observeDualSql,
  openDualSql,
  reactToDualSql,
} from "../../synth/dualsql-episode.ts";
import { environmentMessage } from "../../synth/episode-messages.ts";
import { modelReply } from "../fakes/model.ts";
import { openingOf } from "./episode-rows.ts";

const OPTIONS = generatorOptions(10).parse({});
const WELL = "<think>\nboat\n</think>\n\nI look.\n\n";
const RESULT = { text: '{"rows":[]}', ok: true, execution: null };

const call = (name: string, given: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
const answer = (sql: string) => `${WELL}\`\`\`sql\n${sql}\n\`\`\``;

/** What the generator's reply means after the replies `earlier`, each answered. */
function react(text: string, options: DualSqlOptions, earlier: readonly string[] = [], turnsLeft = 5) {
  const opening = openingOf();
  const messages: Message[] = openDualSql("generator", opening, options);
  for (const reply of earlier) {
    messages.push(keepDualSqlReply(modelReply(reply), options), environmentMessage("1"));
  }
  const state = { turn: earlier.length, turnsLeft, opening, messages };
  return reactToDualSql("generator", keepDualSqlReply(modelReply(text), options), state, options);
}

describe("dualSqlTools", () => {
  it("are those of the options in one order, with their bounds", () => {
    expect(dualSqlTools(dualSqlOptions(5).parse({}))).toEqual([
      { id: "execute-sql-json", options: { maxRows: 10, maxCellCharacters: 150, cpuMs: 30_000 } },
      { id: "full-text-search", options: { maxValuesPerColumn: 5 } },
      { id: "database-profiler", options: {} },
    ]);
    const some = dualSqlOptions(5).parse({ tools: ["database-profiler", "execute-sql-json"], maxRows: 3 });
    expect(dualSqlTools(some).map(({ id }) => id)).toEqual(["execute-sql-json", "database-profiler"]);
    expect(dualSqlTools(some)[0]?.options).toMatchObject({ maxRows: 3 });
    expect(dualSqlTools(dualSqlOptions(5).parse({ tools: [] }))).toEqual([]);
  });
});

describe("keepDualSqlReply", () => {
  it("keeps the reply as sampled, with its thought and its call parsed", () => {
    const text = `${WELL}${call("execute_sql", { sql: "SELECT 1" })}`;
    expect(keepDualSqlReply(modelReply(text), OPTIONS)).toMatchObject({
      rawText: text,
      rawExact: true,
      reasoning: "boat",
      content: `I look.\n\n${call("execute_sql", { sql: "SELECT 1" })}`,
      toolCalls: [
        {
          id: "text_call_0",
          name: "execute_sql",
          argumentsRaw: call("execute_sql", { sql: "SELECT 1" }),
          arguments: { sql: "SELECT 1" },
        },
      ],
    });
  });

  it("takes calls through the server's interface only where they go that way", () => {
    const toolCalls = [{ id: "a", name: "execute_sql", argumentsRaw: "{}", arguments: {} }];
    const reply = modelReply("I look.", { toolCalls, reasoning: "boat" });
    expect(keepDualSqlReply(reply, OPTIONS).toolCalls).toEqual([]);
    expect(keepDualSqlReply(reply, { ...OPTIONS, calls: "native" })).toMatchObject({
      toolCalls,
      reasoning: "boat",
      content: "I look.",
    });
  });
});

describe("reactToDualSql", () => {
  const ran = `${WELL}${call("execute_sql", { sql: "SELECT name FROM boat" })}`;

  it("takes an answer that was run, and by the options any statement or none", () => {
    expect(react(answer("SELECT 1"), OPTIONS)).toMatchObject({ kind: "remind" });
    expect(react(answer("SELECT 1"), OPTIONS, [ran])).toMatchObject({ kind: "remind" });
    expect(react(answer("select name from boat;"), OPTIONS, [ran])).toEqual({
      kind: "answer",
      sql: "select name from boat;",
    });
    const any: DualSqlOptions = { ...OPTIONS, mustTest: "any" };
    expect(react(answer("SELECT 1"), any)).toMatchObject({ kind: "remind" });
    expect(react(answer("SELECT 1"), any, [ran])).toMatchObject({ kind: "answer" });
    expect(react(answer("SELECT 1"), { ...OPTIONS, mustTest: "nothing" })).toMatchObject({ kind: "answer" });
    expect(react(answer("SELECT 1"), { ...OPTIONS, tools: ["full-text-search"] })).toMatchObject({
      kind: "answer",
    });
  });

  it("does not count a wrong call of the tool, or another tool, as a run", () => {
    const wrong = `${WELL}${call("execute_sql", { sql: "SELECT 1", limit: 2 })}`;
    const other = `${WELL}${call("full_text_search", { query: "SELECT 1" })}`;
    expect(react(answer("SELECT 1"), OPTIONS, [wrong, other])).toMatchObject({
      kind: "remind",
      messages: [{ trainReason: "guardrail_untested_answer" }],
    });
  });

  it("takes an untested answer on the last reply of test mode", () => {
    expect(react(answer("SELECT 1"), OPTIONS, [], 0)).toMatchObject({ kind: "answer" });
  });

  it("knows only the tools that the agent has", () => {
    const one: DualSqlOptions = { ...OPTIONS, tools: ["database-profiler"] };
    expect(react(`${WELL}${call("execute_sql", { sql: "SELECT 1" })}`, one)).toMatchObject({
      kind: "act",
      actions: [{ problem: 'There is no tool "execute_sql", expected one of database_profiler.' }],
    });
  });

  it("tells what is wrong as a tool's result in JSON", () => {
    expect(react("Hm.", OPTIONS)).toMatchObject({
      messages: [
        {
          rawText: expect.stringMatching(
            /^<tool_response>\n\{"error":"Your reply has no action\. [^\n]+"\}\n<\/tool_response>$/,
          ) as string,
        },
      ],
    });
  });

  it("makes several calls where the guardrail for them is off", () => {
    const checks = OPTIONS.guardrails.checks.filter((check) => check !== "several_actions");
    const options = { ...OPTIONS, guardrails: { ...OPTIONS.guardrails, checks } };
    const two = `${WELL}${call("execute_sql", { sql: "SELECT 1" })}${call("database_profiler", {})}`;
    expect(react(two, options)).toMatchObject({
      kind: "act",
      actions: [
        { toolId: "execute-sql-json", problem: null },
        { toolId: "database-profiler", problem: null },
      ],
    });
  });
});

describe("observeDualSql", () => {
  const action = (callId: string, problem: string | null = null) => ({
    callId,
    toolId: "execute-sql-json",
    arguments: {},
    problem,
  });

  it("puts the results of calls in the text into one user message, as chat templates do", () => {
    const told = observeDualSql([
      { action: action("text_call_0"), result: RESULT },
      {
        action: action("text_call_1", 'No </tool_response> "x".'),
        result: { ...RESULT, text: "y", ok: false },
      },
    ]);
    expect(told).toMatchObject([
      {
        role: "user",
        origin: "environment",
        train: false,
        rawText:
          '<tool_response>\n{"rows":[]}\n</tool_response>\n<tool_response>\n{"error":"No \\u003c/tool_response> \\"x\\"."}\n</tool_response>',
      },
    ]);
  });

  it("answers each call through the server's interface in a message of its own", () => {
    const told = observeDualSql([
      { action: action("text_call_0"), result: RESULT },
      { action: action("a"), result: { ...RESULT, text: "</tool_response>" } },
    ]);
    expect(told).toMatchObject([
      { role: "tool", toolCallId: "a", rawText: "\\u003c/tool_response>" },
      { role: "user", toolCallId: null, rawText: '<tool_response>\n{"rows":[]}\n</tool_response>' },
    ]);
  });
});
