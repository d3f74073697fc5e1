import { expect, it } from "vitest";
import { dialogueActions, statementsRun } from "../../curation/dialogue-actions.ts";
import { call, observed, reply, told, trajectory } from "./reward-rows.ts";

const QUERY = call("exec_sql", { code: "SELECT a" });

it("are those of accepted replies, with the query that was run last", () => {
  const episode = trajectory([
    reply("1", { steps: ["PROPOSE", "EXECUTE"], toolCalls: [QUERY] }),
    observed("<tool_response>\nOutcome: null result\nOutcome: error\n</tool_response>"),
    reply("2", { steps: ["E-VERIFY:fail"] }),
    told("no action"),
    reply("3", { steps: ["E-VERIFY:pass", "FINALIZE"] }),
  ]);
  expect(dialogueActions(episode)).toEqual([
    { kind: "propose", sql: "SELECT a", passes: true, outcome: "null result" },
    { kind: "execution_check", sql: "SELECT a", passes: true, outcome: "null result" },
  ]);
  expect(statementsRun(episode)).toEqual(["SELECT a"]);
});

it("a last reply that ended without an answer was not accepted, and a check before any query says nothing", () => {
  const messages = [
    reply("1", { steps: ["E-VERIFY:pass"] }),
    observed("?"),
    reply("2", { steps: ["PROPOSE"], toolCalls: [QUERY] }),
  ];
  expect(dialogueActions(trajectory(messages, { stopReason: "turn_budget", finalSql: null }))).toEqual([]);
});

it("episodes of other scaffolds have none", () => {
  expect(dialogueActions(trajectory([reply("done")]))).toEqual([]);
});
