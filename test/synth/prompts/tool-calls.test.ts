import { describe, expect, it } from "vitest";
import { callFormText, toolListText } from "../../../synth/prompts/tool-calls.ts";
import execSql from "../../../synth/tools/exec-sql.ts";

describe("callFormText", () => {
  it("tells of tags in the text, and of the server's interface otherwise", () => {
    expect(callFormText("text")).toContain("between <tool_call> and </tool_call>");
    expect(callFormText("native")).not.toContain("<tool_call>");
    for (const calls of ["text", "native"] as const) {
      expect(callFormText(calls)).toContain("Results come from the tools only; never write one yourself.");
    }
  });
});

describe("toolListText", () => {
  it("writes a tool as one line of JSON, the schema as it is described elsewhere", () => {
    const text = toolListText("text", [execSql.schema, execSql.schema]);
    const lines = text.split("\n");
    expect(lines.slice(0, 3)).toEqual(["", "", "Tools:"]);
    expect(lines).toHaveLength(5);
    expect(JSON.parse(lines[3] ?? "")).toEqual({ type: "function", function: execSql.schema });
    expect(lines[3]).toContain(JSON.stringify(execSql.schema.parameters));
  });

  it("is empty where the server is told of the tools", () => {
    expect(toolListText("native", [execSql.schema])).toBe("");
  });
});
