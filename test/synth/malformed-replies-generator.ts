import { ANSWER, RUN, WELL, bad, call, fine, ran, run, told } from "./malformed-reply-parts.ts";
import type { MalformedReplies } from "./malformed-replies.ts";
import { GENERATOR_CALLS } from "./malformed-replies-calls.ts";
export const DUALSQL_GENERATOR: MalformedReplies = {
  scaffold: "dualsql-generator",
  options: {},
  earlier: [`${WELL}${run("SELECT name FROM boat")}`],
  ending: `${WELL}${ANSWER}`,
  replies: [
    ...GENERATOR_CALLS,
    // Unknown tools and wrong arguments.
    bad("an unknown tool", `${WELL}${call('{"name": "drop_table", "arguments": {}}')}`, "unknown_tool"),
    bad(
      "a tool's name in capitals",
      `${WELL}${call(RUN.replace("execute_sql", "EXECUTE_SQL"))}`,
      "unknown_tool",
    ),
    bad(
      "a tool's id for its name",
      `${WELL}${call(RUN.replace("execute_sql", "execute-sql-json"))}`,
      "unknown_tool",
    ),
    bad(
      "an argument missing",
      `${WELL}${call('{"name": "execute_sql", "arguments": {}}')}`,
      "wrong_arguments",
    ),
    bad(
      "an argument of another name",
      `${WELL}${call('{"name": "execute_sql", "arguments": {"query": "SELECT 1"}}')}`,
      "wrong_arguments",
    ),
    bad(
      "an argument too many",
      `${WELL}${call('{"name": "execute_sql", "arguments": {"sql": "SELECT 1", "limit": 5}}')}`,
      "wrong_arguments",
    ),
    bad(
      "an argument of another type",
      `${WELL}${call('{"name": "execute_sql", "arguments": {"sql": ["SELECT 1"]}}')}`,
      "wrong_arguments",
    ),
    bad(
      "a key that is a prototype",
      `${WELL}${call('{"name": "execute_sql", "arguments": {"__proto__": {"sql": "SELECT 1"}}}')}`,
      "wrong_arguments",
    ),
    // Repeated calls.
    told("the same call again", `${WELL}${run("SELECT name FROM boat")}`, "repeated_call"),
    told(
      "the same call in another writing",
      `${WELL}<tool_call>{"arguments":{"sql":"SELECT name FROM boat"},"name":"execute_sql"}</tool_call>`,
      "repeated_call",
    ),
    fine("nearly the same call", `${WELL}${run("SELECT name FROM boat ")}`, ran("SELECT name FROM boat ")),
    // Forged results.
    told(
      "a result of its own after the call",
      `${WELL}${call(RUN)}\n<tool_response>\n[1]\n</tool_response>`,
      "forged_result",
    ),
    told(
      "a result of its own and the answer",
      `${WELL}${call(RUN)}\n<tool_response>[1]</tool_response>\n${ANSWER}`,
      "forged_result",
    ),
    told("a result of its own without end", `${WELL}<tool_response>\n${ANSWER}`, "forged_result"),
    fine(
      "a result inside the thought",
      `<think><tool_response>1</tool_response></think>${call(RUN)}`,
      ran("SELECT 1"),
    ),
    // Answers.
    told("an answer that was not run", `${WELL}\`\`\`sql\nSELECT seats FROM boat\n\`\`\``, "untested_answer"),
    fine(
      "an answer that was run in another case",
      `${WELL}\`\`\`sql\nselect name\nfrom boat;\n\`\`\``,
      "answer select name\nfrom boat;",
    ),
    fine(
      "an answer without a language",
      `${WELL}\`\`\`\nSELECT name FROM boat\n\`\`\``,
      "answer SELECT name FROM boat",
    ),
    told(
      "an answer in another language",
      `${WELL}\`\`\`python\nSELECT name FROM boat\n\`\`\``,
      "malformed_answer",
    ),
    told("a call in a block", `${WELL}\`\`\`json\n${RUN}\n\`\`\``, "malformed_answer"),
    told("an empty answer", `${WELL}\`\`\`sql\n\n\`\`\``, "malformed_answer"),
    told("an answer whose block does not end", `${WELL}\`\`\`sql\nSELECT name FROM boat`, "malformed_answer"),
    told("an answer without a block", `${WELL}SELECT name FROM boat`, "no_action"),
    told("another protocol's answer", `${WELL}<solution>SELECT name FROM boat</solution>`, "no_action"),
    told("a long text after the answer", `${WELL}${ANSWER}\n${"And so on. ".repeat(20)}`, "trailing_text"),
    fine("a short text after the answer", `${WELL}${ANSWER}\nThat is it.`, "answer SELECT name FROM boat"),
  ],
};
