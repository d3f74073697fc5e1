import { describe, expect, it } from "vitest";
import llamaFactory from "../../../curation/exporters/llama-factory.ts";
import { exportRow, message, openForm, SQL_TOOL, sqlCall, trajectory } from "../../interop/fixture-rows.ts";

const replies = [
  message("assistant", "<think>\na\n</think>\n\nI look.", {
    reasoning: "a",
    toolCalls: [sqlCall("c1", "SELECT 1"), sqlCall("c2", "SELECT 2")],
  }),
  message("tool", "1", { toolCallId: "c1" }),
  message("tool", "2", { toolCallId: "c2" }),
  message("assistant", "SELECT 1"),
];
const row = exportRow("1", { trajectory: trajectory("1", replies), tools: [SQL_TOOL] });

describe("llama-factory", () => {
  it("writes system and tools apart, calls in one pair of tags, and results of a turn as one", async () => {
    const [written] = (await openForm(llamaFactory)).rows(row);
    expect(written).toMatchObject({
      system: "Answer with SQL.",
      tools: JSON.stringify([{ type: "function", function: SQL_TOOL }]),
      messages: [
        { role: "user", content: "How many ferries are there?" },
        {
          role: "function_call",
          content:
            "<think>\na\n</think>\n\nI look.\n<tool_call>\n" +
            '[{"name":"execute_sql","arguments":{"sql":"SELECT 1"}},{"name":"execute_sql","arguments":{"sql":"SELECT 2"}}]' +
            "\n</tool_call>",
        },
        { role: "tool", content: "1\n</tool_response>\n<tool_response>\n2" },
        { role: "assistant", content: "SELECT 1" },
      ],
    });
  });

  it("writes one row for each turn, and leaves thoughts out where that is asked for", async () => {
    const rows = (await openForm(llamaFactory, { turns: "each", thoughts: "dropped" })).rows(row);
    expect(rows.map((one) => (one["messages"] as unknown[]).length)).toEqual([2, 4]);
    expect(rows[0]).toMatchObject({
      messages: [{}, { content: expect.stringMatching(/^I look\.\n<tool_call>/) as string }],
    });
  });

  it("refuses messages that do not alternate, and turns that must not be learned", async () => {
    const form = await openForm(llamaFactory);
    const twice = [message("user", "a"), message("user", "b")];
    const plain = trajectory("1", [message("assistant", "c")]);
    expect(() => form.rows(exportRow("1", { prompt: twice, trajectory: plain }))).toThrow(
      /message 1 is of user after user/,
    );
    const masked = trajectory("1", [
      message("assistant", "a", { train: false, trainReason: "masked" }),
      message("user", "b", { origin: "injected" }),
      message("assistant", "c"),
    ]);
    expect(() => form.rows(exportRow("1", { trajectory: masked }))).toThrow(
      /is not to be learned \(masked\)/,
    );
  });
});
