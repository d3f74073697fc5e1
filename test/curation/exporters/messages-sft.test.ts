import { describe, expect, it } from "vitest";
import type { Message } from "../../../core/trajectory.ts";
import messagesSft from "../../../curation/exporters/messages-sft.ts";
import {
  exportRow,
  message,
  NO_FACTS,
  openForm,
  SQL_TOOL,
  sqlCall,
  trajectory,
} from "../../interop/fixture-rows.ts";

const ID = "e1000000000000000000000000000000";

const form = await openForm(messagesSft);

function rowOf(messages: readonly Message[], changes: Parameters<typeof exportRow>[1] = {}) {
  return form.rows(exportRow("1", { trajectory: trajectory("1", messages), ...changes }))[0] ?? {};
}

const refused = (text: string) =>
  expect.objectContaining({
    code: "EXPORT_ROW_UNSUPPORTED",
    message: `cannot write ${ID} for messages-sft: ${text}`,
  }) as Error;

describe("messages-sft", () => {
  it("writes a single turn with its thought as sampled", () => {
    const answer = message("assistant", "<think>count</think>\n```sql\nSELECT 1\n```", {
      reasoning: "count",
      content: "SELECT 1",
    });
    expect(rowOf([answer])).toStrictEqual({
      messages: [
        { role: "system", content: "Answer with SQL." },
        { role: "user", content: "How many ferries are there?" },
        { role: "assistant", content: "<think>count</think>\n```sql\nSELECT 1\n```", weight: 1 },
      ],
      tools: "[]",
      id: ID,
      example_id: "a1000000000000000000000000000000",
      db_id: "island_ferries",
      dataset: "spider",
      split: "train",
      level: -1,
      hardness: "",
      source: "sampled",
      task: "sql",
      simulated: false,
      pass_n: 8,
      pass_c: 3,
    });
  });

  it("writes tool calls with object arguments, and the reply's call", () => {
    const { messages } = rowOf([
      message("assistant", "I look.", { toolCalls: [sqlCall("c1", "SELECT 'é'")] }),
      message("tool", "1 row", { toolCallId: "c1" }),
      message("assistant", "SELECT 1"),
    ]) as { messages: unknown[] };
    expect(messages.slice(2)).toStrictEqual([
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "execute_sql", arguments: { sql: "SELECT 'é'" } } },
        ],
        weight: 1,
      },
      { role: "tool", content: "1 row", tool_call_id: "c1" },
      { role: "assistant", content: "SELECT 1", weight: 1 },
    ]);
  });

  it("does not write a call twice that the sampled text writes out", () => {
    const text = '<tool_call>{"name": "execute_sql", "arguments": {"sql":"SELECT 1"}}</tool_call>';
    const call = sqlCall("c1", "SELECT 1");
    const { messages } = rowOf([
      message("assistant", text, { toolCalls: [call], content: "" }),
      message("user", "1 row", { origin: "environment" }),
      message("assistant", "SELECT 1"),
    ]) as { messages: unknown[] };
    expect(messages[2]).toStrictEqual({ role: "assistant", content: text, weight: 1 });
  });

  it("keeps a call that only the thought mentions", () => {
    const call = sqlCall("c1", "SELECT 1");
    const thought = `I send ${call.argumentsRaw}`;
    const { messages } = rowOf([
      message("assistant", `<think>${thought}</think>`, { reasoning: thought, toolCalls: [call] }),
      message("tool", "1", { toolCallId: "c1" }),
      message("assistant", "SELECT 1"),
    ]) as { messages: unknown[] };
    expect(messages[2]).toHaveProperty("tool_calls");
  });

  it("finds a call in the text though the thought writes it out too", () => {
    const call = sqlCall("c1", "SELECT 1");
    const raw = `<think>${call.argumentsRaw}</think>${call.argumentsRaw}`;
    const { messages } = rowOf([
      message("assistant", raw, { reasoning: call.argumentsRaw, content: "", toolCalls: [call] }),
      message("user", "1 row", { origin: "environment" }),
      message("assistant", "SELECT 1"),
    ]) as { messages: unknown[] };
    expect(messages[2]).toStrictEqual({ role: "assistant", content: raw, weight: 1 });
  });

  it("marks assistant turns of the prompt as not to be learned", () => {
    const prompt = [
      message("user", "a"),
      message("assistant", "b", { origin: "given", train: false, weight: 0, trainReason: "given" }),
      message("user", "c"),
    ];
    expect(rowOf([message("assistant", "d")], { prompt })["messages"]).toStrictEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: "b", weight: 0 },
      { role: "user", content: "c" },
      { role: "assistant", content: "d", weight: 1 },
    ]);
  });

  it("takes a message that a guardrail injected as a user", () => {
    const injected = message("user", "Go on.", { origin: "injected" });
    expect(() => rowOf([message("assistant", "a"), injected, message("assistant", "b")])).not.toThrow();
  });

  it.each<[string, Message[], string]>([
    [
      "a turn that is not to be learned",
      [
        message("assistant", "a", { train: false, trainReason: "sql_error" }),
        message("user", "no", { origin: "environment" }),
        message("assistant", "b"),
      ],
      "its message 0 is not to be learned (sql_error), expected every sampled message to count once",
    ],
    [
      "another weight",
      [message("assistant", "a", { weight: 0.5, trainReason: "short" })],
      "its message 0 has weight 0.5 (short), expected every sampled message to count once",
    ],
    ["no message", [], "it does not end with a message of the assistant"],
    [
      "an end without an answer",
      [message("assistant", "a"), message("tool", "b")],
      "it does not end with a message of the assistant",
    ],
    [
      "two assistant messages in a row",
      [message("assistant", "a"), message("assistant", "b")],
      "message 3 is of assistant after assistant",
    ],
    [
      "a system message in the middle",
      [message("assistant", "a"), message("system", "b"), message("assistant", "c")],
      "message 3 is of system after assistant",
    ],
    [
      "arguments that do not parse",
      [
        message("assistant", "a", {
          toolCalls: [{ id: "c9", name: "execute_sql", argumentsRaw: "{", arguments: null }],
        }),
        message("tool", "b", { toolCallId: "c9" }),
        message("assistant", "c"),
      ],
      "the arguments of call c9 are not an object, expected one",
    ],
  ])("refuses %s", (_name, messages, text) => {
    expect(() => rowOf(messages)).toThrow(refused(text));
  });

  it("refuses a row without a trajectory, and a prompt that starts with the assistant", () => {
    expect(() => form.rows(exportRow("1"))).toThrow(/it has no trajectory, expected one to imitate/);
    const prompt = [message("assistant", "a")];
    expect(() => rowOf([message("assistant", "b")], { prompt })).toThrow(
      refused("message 0 is of assistant after nothing"),
    );
  });

  it("puts a thought of a reply with native calls in its own field, with the tools beside", () => {
    const replies = [
      message("assistant", "<think>\nlook\n</think>\n\nI look.", {
        reasoning: "look",
        content: "I look.",
        toolCalls: [sqlCall("c1", "SELECT 1")],
      }),
      message("tool", "1 row", { toolCallId: "c1" }),
      message("assistant", "<think>\ndone\n</think>\n\nSELECT 1", { reasoning: "done", content: "SELECT 1" }),
    ];
    const row = rowOf(replies, { tools: [SQL_TOOL], toolNames: ["execute_sql"] });
    expect(row["tools"]).toBe(JSON.stringify([{ type: "function", function: SQL_TOOL }]));
    expect((row["messages"] as unknown[]).slice(2)).toEqual([
      {
        role: "assistant",
        content: "I look.",
        reasoning_content: "look",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "execute_sql", arguments: { sql: "SELECT 1" } } },
        ],
        weight: 1,
      },
      { role: "tool", content: "1 row", tool_call_id: "c1" },
      { role: "assistant", content: "SELECT 1", reasoning_content: "done", weight: 1 },
    ]);
  });

  const masked = [
    message("assistant", "a", { train: false, weight: 0, trainReason: "masked_by_guardrail" }),
    message("user", "no", { origin: "environment" }),
    message("assistant", "b"),
  ];
  const row = exportRow("1", { trajectory: trajectory("1", masked) });

  it("masks a turn where the trainer can", async () => {
    const swift = (await openForm(messagesSft, { for: "ms-swift" })).rows(row)[0]?.["messages"];
    expect(swift).toMatchObject([{}, {}, { content: "a", loss: false }, {}, { content: "b", loss: true }]);
    const axolotl = (await openForm(messagesSft, { for: "axolotl" })).rows(row)[0];
    expect(axolotl?.["messages"]).toMatchObject([{}, {}, { train: false }, {}, { train: true }]);
    expect(axolotl).not.toHaveProperty("tools");
  });

  it("writes one row for each trained turn", async () => {
    const each = await openForm(messagesSft, { for: "trl", turns: "each" });
    expect(each.rows(row)).toMatchObject([
      {
        prompt: [{}, {}, { role: "assistant", content: "a" }, { role: "user", content: "no" }],
        completion: [{ role: "assistant", content: "b" }],
      },
    ]);
    const skyrl = await openForm(messagesSft, { for: "skyrl", turns: "each" });
    const both = exportRow("1", {
      trajectory: trajectory("1", [message("assistant", "a"), ...masked.slice(1)]),
    });
    const rows = skyrl.rows(both).map((one) => (one["messages"] as { content: string }[]).slice(2));
    expect(rows).toEqual([
      [{ role: "assistant", content: "a", weight: 1 }],
      [
        { role: "assistant", content: "a", weight: 0 },
        { role: "user", content: "no" },
        { role: "assistant", content: "b", weight: 1 },
      ],
    ]);
  });

  it("gives trainers that want a list of tools one", async () => {
    const nemo = await openForm(messagesSft, { for: "nemo-rl" }, { ...NO_FACTS, tools: [SQL_TOOL] });
    const [written] = nemo.rows(
      exportRow("1", { trajectory: trajectory("1", [message("assistant", "a")]), tools: [SQL_TOOL] }),
    );
    expect(written?.["tools"]).toEqual([{ type: "function", function: SQL_TOOL }]);
  });
});
