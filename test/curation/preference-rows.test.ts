import { describe, expect, it } from "vitest";
import { preferencePair } from "../../curation/preference-rows.ts";
import { exportRow, message, sqlCall, trajectory } from "../interop/fixture-rows.ts";

const first = message("assistant", "look", { toolCalls: [sqlCall("c", "SELECT 1")] });
const result = message("tool", "1", { toolCallId: "c" });
const right = trajectory("1", [first, result, message("assistant", "right")]);
const row = (wrong: Parameters<typeof trajectory>[1] | null) =>
  exportRow("1", {
    prompt: [message("user", "q")],
    trajectory: right,
    rejected: wrong === null ? null : { ...trajectory("2", wrong), exampleId: right.exampleId },
  });

describe("preferencePair", () => {
  it("cuts both at the first reply in which they differ", () => {
    const pair = preferencePair(
      row([first, result, message("assistant", "wrong"), message("tool", "x")]),
      "x",
      "text",
    );
    expect(pair.prompt).toEqual([
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: 'look\n<tool_call>\n{"name": "execute_sql", "arguments": {"sql": "SELECT 1"}}\n</tool_call>',
      },
      { role: "tool", content: "1" },
    ]);
    expect(pair.chosen).toEqual({ role: "assistant", content: "right" });
    expect(pair.rejected).toEqual({ role: "assistant", content: "wrong" });
  });

  it("cuts at the first reply where that one differs already", () => {
    const pair = preferencePair(row([message("assistant", "wrong at once")]), "x", "text");
    expect(pair.prompt).toEqual([{ role: "user", content: "q" }]);
    expect(pair.rejected).toEqual({ role: "assistant", content: "wrong at once" });
  });

  it("refuses a pair that parts in a tool's result, and a row without a wrong one", () => {
    const other = { ...result, rawText: "2" };
    expect(() => preferencePair(row([first, other, message("assistant", "wrong")]), "x", "text")).toThrow(
      /parts from wrong trajectory e2000000000000000000000000000000 at message 2, tool against tool/,
    );
    expect(() => preferencePair(row(null), "x", "text")).toThrow(/no wrong trajectory stands beside it/);
  });
});
