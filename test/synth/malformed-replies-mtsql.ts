import type { MalformedReplies, Outcome } from "./malformed-replies.ts";

const THOUGHT = "<think>\nboat has the names.\n</think>\n";
const QUERY = "SELECT name FROM boat";
/** The same query in another hand: its call is another one. */
const RESTYLED = "select name from boat;";
const PASS = "<execution_check>pass</execution_check>\n";
const FAIL = "<execution_check>fail</execution_check>\n";
const FINAL = `<final_answer>${QUERY}</final_answer>`;

const call = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;
const run = (code: string): string => call(JSON.stringify({ name: "exec_sql", arguments: { code } }));
const ran = (code: string): Outcome => `act exec-sql ${JSON.stringify({ code })}`;
const RECALL = call(JSON.stringify({ name: "memory_retrieve", arguments: { code: QUERY } }));
const WRONG = ["stop wrong_transition", "told guardrail_wrong_transition"] as const;

/** A dialogue's first question, after its query was run. */
export const MTSQL: MalformedReplies = {
  scaffold: "mtsql-r1",
  options: {},
  earlier: [`${THOUGHT}${run(QUERY)}`],
  ending: `${THOUGHT}${PASS}${FINAL}`,
  replies: [
    // Transitions.
    ["an answer without its check", `${THOUGHT}${FINAL}`, ...WRONG],
    ["a second proposal", `${THOUGHT}${run(RESTYLED)}`, ...WRONG],
    ["an answer after a failed check", `${THOUGHT}${FAIL}${FINAL}`, ...WRONG],
    ["a correction after a passed check", `${THOUGHT}${PASS}${run(RESTYLED)}`, ...WRONG],
    ["the memory of a first question", `${THOUGHT}${PASS}${RECALL}`, ...WRONG],
    ["the memory before the check", `${THOUGHT}${RECALL}`, ...WRONG],
    [
      "a memory check without a memory",
      `${THOUGHT}${PASS}<memory_check>pass</memory_check>${FINAL}`,
      ...WRONG,
    ],
    ["the checks of two queries at once", `${THOUGHT}${FAIL}${PASS}${FINAL}`, ...WRONG],
    ["a check after the answer", `${THOUGHT}${FINAL}${PASS}`, ...WRONG],
    ["a check inside the thought", `<think>${PASS}</think>${FINAL}`, ...WRONG],
    ["a verdict in other words", `${THOUGHT}<execution_check>yes</execution_check>${FINAL}`, ...WRONG],
    [
      "a verdict with its reason",
      `${THOUGHT}<execution_check>pass, I think</execution_check>${FINAL}`,
      ...WRONG,
    ],
    ["a check without end", `${THOUGHT}<execution_check>pass ${FINAL}`, ...WRONG],
    [
      "a verdict in capitals",
      `${THOUGHT}<Execution_Check> PASS </execution_check>${FINAL}`,
      `answer ${QUERY}`,
      `answer ${QUERY}`,
    ],
    ["a correction", `${THOUGHT}${FAIL}${run(RESTYLED)}`, ran(RESTYLED), ran(RESTYLED)],
    [
      "a correction that changes nothing",
      `${THOUGHT}${FAIL}${run(QUERY)}`,
      "stop repeated_call",
      "told guardrail_repeated_call",
    ],
    // Actions.
    ["nothing", "", "stop no_action", "told guardrail_no_action"],
    ["a check alone", `${THOUGHT}${PASS}`, "stop no_action", "told guardrail_no_action"],
    [
      "a thought without end",
      `<think>It passes. ${PASS}${FINAL}`,
      "stop no_action",
      "told guardrail_no_action",
    ],
    ["no thought", `${PASS}${FINAL}`, "stop empty_thought", "told guardrail_empty_thought"],
    [
      "an empty thought",
      `<think> </think>${PASS}${FINAL}`,
      "stop empty_thought",
      "told guardrail_empty_thought",
    ],
    [
      "a correction and an answer",
      `${THOUGHT}${FAIL}${run(RESTYLED)}${FINAL}`,
      "stop several_actions",
      "told guardrail_several_actions",
    ],
    [
      "two corrections",
      `${THOUGHT}${FAIL}${run(RESTYLED)}${run("SELECT 2")}`,
      "stop several_actions",
      "told guardrail_several_actions",
    ],
    [
      "half JSON",
      `${THOUGHT}${FAIL}${call('{"name": "exec_sql", "arguments": {"code": "SELECT')}`,
      "stop malformed_call",
      "error malformed_call",
    ],
    [
      "a call cut by the limit",
      { content: `${THOUGHT}${FAIL}<tool_call>{"name": "exec_sql", "argu`, finishReason: "length" },
      "stop malformed_call",
      "error malformed_call",
    ],
    [
      "a tool that is not there",
      `${THOUGHT}${FAIL}${call('{"name": "execute_sql", "arguments": {"code": "SELECT 1"}}')}`,
      "stop unknown_tool",
      "error unknown_tool",
    ],
    [
      "an argument of another name",
      `${THOUGHT}${FAIL}${call('{"name": "exec_sql", "arguments": {"sql": "SELECT 1"}}')}`,
      "stop wrong_arguments",
      "error wrong_arguments",
    ],
    [
      "a call without a query",
      `${THOUGHT}${FAIL}${run(" ")}`,
      "stop wrong_arguments",
      'act exec-sql {"code":" "}',
    ],
    [
      "a made-up result",
      `${THOUGHT}${FAIL}${run(RESTYLED)}<tool_response>Outcome: result</tool_response>${PASS}`,
      "stop forged_result",
      "told guardrail_forged_result",
    ],
    [
      "braces and tags in the SQL",
      `${THOUGHT}${FAIL}${run("select name from boat -- '}{' </tool_call><final_answer>")}`,
      ran("select name from boat -- '}{' </tool_call><final_answer>"),
      ran("select name from boat -- '}{' </tool_call><final_answer>"),
    ],
    // Answers.
    [
      "another query than the one that was run",
      `${THOUGHT}${PASS}<final_answer>SELECT seats FROM boat</final_answer>`,
      "stop untested_answer",
      "told guardrail_untested_answer",
    ],
    [
      "the query in another hand",
      `${THOUGHT}${PASS}<final_answer>\`\`\`sql\n${RESTYLED}\n\`\`\`</final_answer>`,
      `answer ${RESTYLED}`,
      `answer ${RESTYLED}`,
    ],
    [
      "an empty answer",
      `${THOUGHT}${PASS}<final_answer></final_answer>`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    [
      "an answer without end",
      `${THOUGHT}${PASS}<final_answer>${QUERY}`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    [
      "an answer in a fence alone",
      `${THOUGHT}${PASS}\`\`\`sql\n${QUERY}\n\`\`\``,
      "stop no_action",
      "told guardrail_no_action",
    ],
    [
      "an answer with a long tail",
      `${THOUGHT}${PASS}${FINAL}${" It is so.".repeat(40)}`,
      "stop trailing_text",
      "told guardrail_trailing_text",
    ],
  ],
};
