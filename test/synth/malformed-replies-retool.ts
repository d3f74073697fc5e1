import type { MalformedReplies, Outcome } from "./malformed-replies.ts";

const PAD = "<scratch_pad>\nboat has the names.\n</scratch_pad>\n";
const SCHEMA = '<schema>{"boat": ["name"]}</schema>\n';
const FINAL = "<final_answer>SELECT name FROM boat</final_answer>";
const RUN = '{"name": "sqlite_query", "arguments": {"sql": "SELECT 1"}}';

const call = (json: string): string => `<tool_call>\n${json}\n</tool_call>`;
const ran = (sql: string): Outcome => `act sqlite-query ${JSON.stringify({ sql })}`;
const run = (sql: string): string => call(JSON.stringify({ name: "sqlite_query", arguments: { sql } }));
const EARLY = call('{"name": "sqlite_peek", "arguments": {"table": "boat", "column": "name"}}');
const SEARCH = call('{"name": "bm25_search_sqlite", "arguments": {"query": "Tern"}}');
const ANSWERED = "answer SELECT name FROM boat";

export const RETOOL: MalformedReplies = {
  scaffold: "retool-sql",
  options: {},
  earlier: [`${PAD}${run("SELECT name FROM boat")}`],
  ending: `${PAD}${SCHEMA}${FINAL}`,
  replies: [
    // Scratch pads.
    ["nothing", "", "stop no_action", "told guardrail_no_action"],
    ["a pad alone", PAD, "stop no_action", "told guardrail_no_action"],
    ["a pad without end", `<scratch_pad>I run ${call(RUN)}`, "stop no_action", "told guardrail_no_action"],
    [
      "a pad without end, an answer in it",
      `<scratch_pad>I say ${SCHEMA}${FINAL}`,
      "stop no_action",
      "told guardrail_no_action",
    ],
    [
      "a call inside the pad",
      `<scratch_pad>${call(RUN)}</scratch_pad>`,
      "stop no_action",
      "told guardrail_no_action",
    ],
    [
      "a broken call inside the pad",
      `<scratch_pad>${call("{")}</scratch_pad>${call(RUN)}`,
      ran("SELECT 1"),
      ran("SELECT 1"),
    ],
    ["a call without a pad", call(RUN), "stop empty_thought", "told guardrail_empty_thought"],
    [
      "an empty pad",
      `<scratch_pad> \n</scratch_pad>${call(RUN)}`,
      "stop empty_thought",
      "told guardrail_empty_thought",
    ],
    ["a pad after the call", `${call(RUN)}${PAD}`, "stop empty_thought", "told guardrail_empty_thought"],
    ["a model's own thought for a pad", `<think>boat</think>${call(RUN)}`, ran("SELECT 1"), ran("SELECT 1")],
    [
      "an answer inside the model's own thought",
      `<think>${SCHEMA}${FINAL}</think>${PAD}`,
      "stop no_action",
      "told guardrail_no_action",
    ],
    [
      "a pad that is too long",
      `<scratch_pad>${"boat ".repeat(1000)}</scratch_pad>${call(RUN)}`,
      "stop long_thought",
      "told guardrail_long_thought",
    ],
    ["a pad opened by the prompt", `boat</scratch_pad>${call(RUN)}`, ran("SELECT 1"), ran("SELECT 1")],
    // Calls.
    ["braces in the SQL", `${PAD}${run("SELECT '}}{'")}`, ran("SELECT '}}{'"), ran("SELECT '}}{'")],
    [
      "a closing tag in the SQL",
      `${PAD}${run("SELECT '</tool_call>'")}`,
      ran("SELECT '</tool_call>'"),
      ran("SELECT '</tool_call>'"),
    ],
    [
      "an answer inside the SQL",
      `${PAD}${run("SELECT '<final_answer>9</final_answer>'")}`,
      ran("SELECT '<final_answer>9</final_answer>'"),
      ran("SELECT '<final_answer>9</final_answer>'"),
    ],
    [
      "half JSON",
      `${PAD}${call('{"name": "sqlite_query", "arg')}`,
      "stop malformed_call",
      "error malformed_call",
    ],
    [
      "a call cut by the limit",
      {
        content: `${PAD}<tool_call>{"name": "sqlite_query", "arguments": {"sql": "SEL`,
        finishReason: "length",
      },
      "stop malformed_call",
      "error malformed_call",
    ],
    ["no JSON", `${PAD}${call("SELECT 1")}`, "stop malformed_call", "error malformed_call"],
    [
      "a tool that is not there",
      `${PAD}${call('{"name": "execute_sql", "arguments": {"sql": "SELECT 1"}}')}`,
      "stop unknown_tool",
      "error unknown_tool",
    ],
    [
      "an argument of another name",
      `${PAD}${call('{"name": "sqlite_query", "arguments": {"query": "SELECT 1"}}')}`,
      "stop wrong_arguments",
      "error wrong_arguments",
    ],
    [
      "two calls",
      `${PAD}${call(RUN)}${run("SELECT 2")}`,
      "stop several_actions",
      "told guardrail_several_actions",
    ],
    [
      "a call and an answer",
      `${PAD}${call(RUN)}${SCHEMA}${FINAL}`,
      "stop several_actions",
      "told guardrail_several_actions",
    ],
    [
      "a call made before",
      `${PAD}${run("SELECT name FROM boat")}`,
      "stop repeated_call",
      "told guardrail_repeated_call",
    ],
    ["a peek without a fault", `${PAD}${EARLY}`, "stop wrong_transition", "told guardrail_wrong_transition"],
    [
      "a search without a fault",
      `${PAD}${SEARCH}`,
      "stop wrong_transition",
      "told guardrail_wrong_transition",
    ],
    [
      "a result of the model's own",
      `${PAD}${call(RUN)}<tool_response>1</tool_response>`,
      "stop forged_result",
      "told guardrail_forged_result",
    ],
    [
      "a made-up result and an answer after it",
      `${PAD}<tool_response>name</tool_response>${SCHEMA}${FINAL}`,
      "stop forged_result",
      "told guardrail_forged_result",
    ],
    [
      "an answer inside a made-up result",
      `${PAD}<tool_response>${FINAL}</tool_response>`,
      "stop forged_result",
      "told guardrail_forged_result",
    ],
    // Answers.
    [
      "a query in a fence",
      `${PAD}${SCHEMA}\`\`\`sql\nSELECT 1\n\`\`\``,
      "stop no_action",
      "told guardrail_no_action",
    ],
    [
      "an answer in the tags of another protocol",
      `${PAD}<solution>SELECT 1</solution>`,
      "stop no_action",
      "told guardrail_no_action",
    ],
    [
      "an answer without its schema",
      `${PAD}${FINAL}`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    [
      "a schema that is no JSON",
      `${PAD}<schema>boat: name</schema>${FINAL}`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    [
      "a schema with a column for a list",
      `${PAD}<schema>{"boat": "name"}</schema>${FINAL}`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    [
      "a schema inside the pad",
      `<scratch_pad>${SCHEMA}</scratch_pad>${FINAL}`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    ["a schema after the answer", `${PAD}${FINAL}${SCHEMA}`, ANSWERED, ANSWERED],
    [
      "a fence inside the answer",
      `${PAD}${SCHEMA}<final_answer>\`\`\`sql\nSELECT name FROM boat\n\`\`\`</final_answer>`,
      ANSWERED,
      ANSWERED,
    ],
    [
      "an empty answer",
      `${PAD}${SCHEMA}<final_answer> </final_answer>`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    [
      "an answer without end",
      `${PAD}${SCHEMA}<final_answer>SELECT name`,
      "stop malformed_answer",
      "told guardrail_malformed_answer",
    ],
    [
      "two answers",
      `${PAD}${SCHEMA}${FINAL}<final_answer>SELECT 2</final_answer>`,
      "stop several_actions",
      "told guardrail_several_actions",
    ],
    [
      "an answer with a long tail",
      `${PAD}${SCHEMA}${FINAL}${" So it is.".repeat(40)}`,
      "stop trailing_text",
      "told guardrail_trailing_text",
    ],
    ["an answer with a short tail", `${PAD}${SCHEMA}${FINAL} Done.`, ANSWERED, ANSWERED],
  ],
};

export const RETOOL_NATIVE: MalformedReplies = {
  scaffold: "retool-sql",
  options: { calls: "native" },
  earlier: [`${PAD}${run("SELECT name FROM boat")}`],
  ending: `${PAD}${SCHEMA}${FINAL}`,
  replies: [
    [
      "a call through the interface",
      {
        content: PAD,
        toolCalls: [
          {
            id: "c1",
            name: "sqlite_query",
            argumentsRaw: '{"sql":"SELECT 1"}',
            arguments: { sql: "SELECT 1" },
          },
        ],
      },
      ran("SELECT 1"),
      ran("SELECT 1"),
    ],
    [
      "two calls through the interface",
      {
        content: PAD,
        toolCalls: [
          {
            id: "c1",
            name: "sqlite_query",
            argumentsRaw: '{"sql":"SELECT 1"}',
            arguments: { sql: "SELECT 1" },
          },
          {
            id: "c2",
            name: "sqlite_query",
            argumentsRaw: '{"sql":"SELECT 2"}',
            arguments: { sql: "SELECT 2" },
          },
        ],
      },
      "stop several_actions",
      "told guardrail_several_actions",
    ],
    [
      "half JSON through the interface",
      {
        content: PAD,
        toolCalls: [{ id: "c1", name: "sqlite_query", argumentsRaw: '{"sql":"SEL', arguments: null }],
      },
      "stop malformed_call",
      "error malformed_call",
    ],
    [
      "a call without a pad through the interface",
      {
        content: "",
        toolCalls: [
          {
            id: "c1",
            name: "sqlite_query",
            argumentsRaw: '{"sql":"SELECT 1"}',
            arguments: { sql: "SELECT 1" },
          },
        ],
      },
      "stop empty_thought",
      "told guardrail_empty_thought",
    ],
  ],
};
