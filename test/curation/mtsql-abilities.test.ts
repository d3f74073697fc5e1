import { describe, expect, it } from "vitest";
import type { Message } from "../../core/trajectory.ts";
import { mtsqlAbilities } from "../../curation/mtsql-abilities.ts";
import { FERRY_SCHEMA } from "../sql/ferry-schema.ts";
import { message } from "./sample-rows.ts";

const GOLD = { sql: "SELECT name FROM ferry", schema: FERRY_SCHEMA, hasHistory: true };

function reply(steps: readonly string[], tool?: string, code?: string): Message {
  const call = { id: "1", name: tool ?? "", argumentsRaw: "", arguments: code === undefined ? {} : { code } };
  return { ...message("assistant", ""), steps: [...steps], toolCalls: tool === undefined ? [] : [call] };
}

function says(outcome: string): Message {
  return { ...message("user", `Outcome: ${outcome}`), origin: "environment" };
}

describe("mtsqlAbilities", () => {
  it("is nothing for a scaffold without steps", () => {
    expect(mtsqlAbilities({ messages: [message("assistant", "SELECT 1")] }, GOLD)).toBeNull();
  });

  it("rewards each step against the query that was run before it", () => {
    const messages = [
      // A query of another table: SELECT and JOIN have nothing of gold's.
      reply(["PROPOSE", "EXECUTE"], "exec_sql", "SELECT fare FROM crossing"),
      says("result"),
      reply(["E-VERIFY:pass"], "memory_retrieve"),
      says("the memory"),
      reply(["M-VERIFY:fail", "SELF-CORRECT", "EXECUTE"], "exec_sql", "SELECT name FROM ferry"),
      says("null result"),
      reply(["E-VERIFY:fail"]),
      reply(["M-VERIFY:pass", "FINALIZE"]),
    ];
    expect(mtsqlAbilities({ messages }, GOLD)).toEqual({
      callsExecute: 1,
      callsMemory: 1,
      // 1 for passing a result, 0.1 for failing a null result.
      verifiesExecution: 0.55,
      // 1 - 0 for failing what is all wrong, 1 for passing what is right.
      verifiesMemory: 1,
      generates: 0.5,
    });
  });

  it("has no occasion for a memory in a first question, and no reward for what was not done", () => {
    const messages = [reply(["PROPOSE"])];
    expect(mtsqlAbilities({ messages }, { ...GOLD, hasHistory: false })).toEqual({
      callsExecute: 0,
      callsMemory: null,
      verifiesExecution: null,
      verifiesMemory: null,
      generates: null,
    });
  });

  it("gives nothing for passing an error", () => {
    const run = [reply(["PROPOSE", "EXECUTE"], "exec_sql", "SELECT"), says("error\nno")];
    const verified = (step: string) =>
      mtsqlAbilities({ messages: [...run, reply([step])] }, GOLD)?.verifiesExecution;
    expect([verified("E-VERIFY:pass"), verified("E-VERIFY:fail")]).toEqual([0, 1]);
  });
});
