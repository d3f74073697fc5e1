import { describe, expect, it } from "vitest";
import { MTSQL_SCHEMAS } from "../../synth/mtsql-episode.ts";
import { finalSql, readMtsql } from "../../synth/mtsql-reply.ts";

const read = (content: string) => readMtsql({ content, toolCalls: [] }, MTSQL_SCHEMAS);
const call = (name: string, code: string) =>
  `<tool_call>${JSON.stringify({ name, arguments: { code } })}</tool_call>`;
const RUN = call("exec_sql", "SELECT 1");
const RECALL = call("memory_retrieve", "SELECT 1");
const check = (which: string, verdict: string) => `<${which}_check>${verdict}</${which}_check>`;
const FINAL = "<final_answer>SELECT 1</final_answer>";

describe("readMtsql", () => {
  it.each<[string, string[], boolean]>([
    ["", [], false],
    [RUN, ["PROPOSE", "EXECUTE"], false],
    [`${check("execution", "fail")}${RUN}`, ["E-VERIFY:fail", "SELF-CORRECT", "EXECUTE"], false],
    [`${check("memory", "fail")}${RUN}`, ["M-VERIFY:fail", "SELF-CORRECT", "EXECUTE"], false],
    [`${check("execution", "pass")}${RUN}`, ["E-VERIFY:pass", "PROPOSE", "EXECUTE"], false],
    [`${check("execution", " Pass ")}${RECALL}`, ["E-VERIFY:pass"], true],
    [`${check("memory", "pass")}${FINAL}`, ["M-VERIFY:pass", "FINALIZE"], false],
    [`${FINAL}${check("memory", "pass")}`, ["FINALIZE", "M-VERIFY:pass"], false],
    [`${RUN}${check("execution", "fail")}`, ["SELF-CORRECT", "EXECUTE", "E-VERIFY:fail"], false],
    ["<final_answer>SELECT 1", [], false],
    [call("exec_sql", " "), [], false],
    [call("memory_recall", "SELECT 1"), [], false],
    ['<tool_call>{"name":"exec_sql"', [], false],
    [`<think>${check("execution", "pass")}</think>`, [], false],
    [call("exec_sql", check("execution", "pass")), ["PROPOSE", "EXECUTE"], false],
  ])("reads %j as the steps %j", (content, steps, consultsMemory) => {
    expect(read(content)).toMatchObject({ steps, consultsMemory });
  });

  it("puts a call through the server's interface last", () => {
    const native = {
      id: "c1",
      name: "exec_sql",
      argumentsRaw: '{"code":"SELECT 1"}',
      arguments: { code: "SELECT 1" },
    };
    const reply = readMtsql({ content: check("execution", "fail"), toolCalls: [native] }, MTSQL_SCHEMAS);
    expect(reply.steps).toEqual(["E-VERIFY:fail", "SELF-CORRECT", "EXECUTE"]);
  });

  it("names verdicts that are none", () => {
    expect(read(`${check("execution", "maybe")}${FINAL}`)).toMatchObject({
      steps: ["FINALIZE"],
      badVerdicts: ["maybe"],
    });
    expect(read("<memory_check>pass").badVerdicts).toEqual(["pass"]);
    expect(read(check("memory", "x".repeat(100))).badVerdicts).toEqual(["x".repeat(40)]);
  });
});

describe("finalSql", () => {
  it("is the query out of its fence, and empty where the block does not end", () => {
    const block = {
      name: "final_answer",
      inner: "```sql\nSELECT 1\n```",
      start: 0,
      end: 1,
      isClosed: true,
    } as const;
    expect(finalSql(block)).toBe("SELECT 1");
    expect(finalSql({ ...block, isClosed: false })).toBe("");
  });
});
