import type { FinishReason, ModelReply } from "../../core/model.ts";
import { ANSWER, RUN, WELL, bad, call, fine, ran, run, slip, told } from "./malformed-reply-parts.ts";
import type { MalformedReplies } from "./malformed-replies.ts";

/** A reply with calls through the server's interface, by id, name and raw arguments. */
function native(
  calls: readonly (readonly [id: string, name: string, argumentsRaw: string])[],
  content = "I look.",
  finishReason: FinishReason = "tool_calls",
): Partial<ModelReply> {
  const toolCalls = calls.map(([id, name, argumentsRaw]) => {
    let parsed: unknown = null;
    try {
      parsed = JSON.parse(argumentsRaw);
    } catch {
      parsed = null;
    }
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return { id, name, argumentsRaw, arguments: isObject ? (parsed as Record<string, string>) : null };
  });
  return { content, reasoning: "boat: name", toolCalls, finishReason };
}

export const DUALSQL_NATIVE: MalformedReplies = {
  scaffold: "dualsql-sql",
  options: { calls: "native" },
  earlier: [`${WELL}${run("SELECT name FROM boat")}`],
  ending: `${WELL}${ANSWER}`,
  replies: [
    fine("a native call", native([["a", "execute_sql", '{"sql":"SELECT 1"}']]), ran("SELECT 1")),
    fine(
      "braces in a native call",
      native([["a", "execute_sql", '{"sql":"SELECT \'}}{\'"}']]),
      ran("SELECT '}}{'"),
    ),
    bad("half a native call", native([["a", "execute_sql", '{"sql":"SELEC']]), "malformed_call"),
    slip(
      "a trailing comma in a native call",
      native([["a", "execute_sql", '{"sql":"SELECT 1",}']]),
      "malformed_call",
      ran("SELECT 1"),
    ),
    slip(
      "native arguments as JSON in a text",
      native([["a", "execute_sql", '"{\\"sql\\":\\"SELECT 1\\"}"']]),
      "malformed_call",
      ran("SELECT 1"),
    ),
    bad("native arguments that are a list", native([["a", "execute_sql", "[1]"]]), "malformed_call"),
    bad("an unknown native tool", native([["a", "drop", "{}"]]), "unknown_tool"),
    bad("a wrong native argument", native([["a", "execute_sql", '{"sql":1}']]), "wrong_arguments"),
    told(
      "two native calls",
      native([
        ["a", "execute_sql", '{"sql":"SELECT 1"}'],
        ["b", "execute_sql", '{"sql":"SELECT 2"}'],
      ]),
      "several_actions",
    ),
    told(
      "a native call and one in the text",
      native([["a", "execute_sql", '{"sql":"SELECT 1"}']], run("SELECT 2")),
      "several_actions",
    ),
    told(
      "a native call and an answer",
      native([["a", "execute_sql", '{"sql":"SELECT 1"}']], ANSWER),
      "several_actions",
    ),
    told(
      "the same call again, now native",
      native([["a", "execute_sql", '{ "sql": "SELECT name FROM boat" }']]),
      "repeated_call",
    ),
    fine("a call that the server left in the text", native([], run("SELECT '{'"), "stop"), ran("SELECT '{'")),
    bad("half a call that the server left in the text", native([], "<tool_call>{", "stop"), "malformed_call"),
    told(
      "a native call without a thought",
      { ...native([["a", "execute_sql", '{"sql":"SELECT 1"}']]), reasoning: " " },
      "empty_thought",
    ),
    told(
      "a call in the thought that the server parsed out",
      { content: "Done.", reasoning: call(RUN) },
      "no_action",
    ),
  ],
};
