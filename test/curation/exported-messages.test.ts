import { describe, expect, it } from "vitest";
import {
  checkOrder,
  conversation,
  goldsOf,
  groupId,
  isLearned,
  nativeCalls,
  partReply,
  textMessage,
  textPrompt,
} from "../../curation/exported-messages.ts";
import { exportRow, message, sqlCall, trajectory } from "../interop/fixture-rows.ts";

describe("conversations", () => {
  it("stand after the row's prompt unless they hold their own", () => {
    const reply = message("assistant", "a");
    const texts = (row: ReturnType<typeof exportRow>, messages: (typeof reply)[]) =>
      conversation(row, trajectory("1", messages)).map(({ rawText }) => rawText);
    expect(texts(exportRow("1", { prompt: [message("user", "q")] }), [reply])).toEqual(["q", "a"]);
    expect(texts(exportRow("1"), [message("user", "own"), reply])).toEqual(["own", "a"]);
  });

  it("must end with a reply of the model", () => {
    const given = message("assistant", "a", { origin: "given" });
    expect(() => checkOrder([message("user", "q"), given], "x", "id")).toThrow(/does not end with a message/);
  });
});

describe("replies", () => {
  const thought = "<think>\nlook\n</think>\n\nDone.\n";

  it("are parted from thoughts between think tags alone", () => {
    const reply = message("assistant", thought, { reasoning: "look" });
    expect(partReply(reply, "text")).toEqual({ thought: null, text: thought });
    expect(partReply(reply, "field")).toEqual({ thought: "look", text: "Done." });
    expect(partReply(reply, "dropped")).toEqual({ thought: null, text: "Done." });
    const protocol = message("assistant", "<reasoning>a</reasoning>b", { reasoning: "a" });
    expect(partReply(protocol, "dropped").text).toBe("<reasoning>a</reasoning>b");
  });

  it("keep white space of a thought as it was sent", () => {
    const reply = message("assistant", "<think>\n  a\n\n</think>\n\nb", { reasoning: "  a\n" });
    expect(partReply(reply, "field").thought).toBe("  a\n");
  });

  it("write native calls into the text as Qwen's templates do", () => {
    const call = { ...sqlCall("c", "SELECT 1"), arguments: { sql: "é", list: [1, { a: null }] } };
    const reply = message("assistant", "Look. \n", { toolCalls: [call, sqlCall("d", "SELECT 2")] });
    expect(textMessage(reply, { plug: "x", rowId: "id", thoughts: "text" })).toEqual({
      role: "assistant",
      content:
        'Look.\n<tool_call>\n{"name": "execute_sql", "arguments": {"sql": "é", "list": [1, {"a": null}]}}\n</tool_call>' +
        '\n<tool_call>\n{"name": "execute_sql", "arguments": {"sql": "SELECT 2"}}\n</tool_call>',
    });
  });

  it("have no native call that stands in the text", () => {
    const call = sqlCall("c", "SELECT 1");
    expect(nativeCalls(message("assistant", call.argumentsRaw, { toolCalls: [call] }))).toEqual([]);
  });

  it("are learned unless they are given, masked or without weight", () => {
    const reply = (changes: object) => isLearned(message("assistant", "a", changes));
    expect([reply({}), reply({ origin: "given" }), reply({ train: false }), reply({ weight: 0 })]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("prompts", () => {
  it("are text that ends with a question", () => {
    const prompt = [message("user", "q"), message("assistant", "a", { origin: "given" })];
    expect(() => textPrompt(exportRow("1", { prompt }), "x")).toThrow(
      /ends with a reply, expected a question/,
    );
    expect(textPrompt(exportRow("1", { prompt: prompt.slice(0, 1) }), "x")).toEqual([
      { role: "user", content: "q" },
    ]);
  });

  it("belong to the group of their question and task", () => {
    const row = exportRow("1", { task: "linker" });
    expect(groupId(row)).toBe("a1000000000000000000000000000000:linker");
    expect(goldsOf(row, "x")).toEqual(["SELECT count(*) FROM ferry"]);
  });
});
