import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTextCall, keptCalls, partThought, readActions } from "../../synth/call-parser.ts";

const TOOLS = [
  {
    name: "run",
    description: "Runs.",
    parameters: {
      type: "object",
      properties: { sql: { type: "string" }, limit: { type: "integer" } },
      required: ["sql"],
      additionalProperties: false,
    },
  },
  { name: "list", description: "Lists.", parameters: { type: "object", properties: {} } },
];

/** Calls, blocks and forged results in the order of the kinds; `*` for a repaired call, `!` for a bad one. */
function shown(visible: string): string[] {
  const { calls, blocks, isForged } = readActions(visible, [], TOOLS);
  return [
    ...calls.map((call) =>
      call.problem === null
        ? `${call.name} ${JSON.stringify(call.arguments)}${call.isRepaired ? " *" : ""}`
        : `! ${call.problem.violation}`,
    ),
    ...blocks.map(({ language, inner, isClosed }) => `${language}: ${inner}${isClosed ? "" : " …"}`),
    ...(isForged ? ["forged"] : []),
  ];
}

const call = (json: string) => `<tool_call>${json}</tool_call>`;
const RUN = '{"name": "run", "arguments": {"sql": "SELECT 1"}}';
const RAN = 'run {"sql":"SELECT 1"}';

describe("readActions", () => {
  it.each<[string, string[]]>([
    [call(RUN), [RAN]],
    [`I look.\n${call(`\n${RUN}\n`)}\n`, [RAN]],
    [`<TOOL_CALL >${RUN}</Tool_Call\n>`, [RAN]],
    [call('{"arguments": {"limit": 2, "sql": "a"}, "name": "run"}'), ['run {"limit":2,"sql":"a"}']],
    [call('{"name": "list", "arguments": {}}'), ["list {}"]],
    // Braces, tags, fences and quotes within texts are text.
    [
      call('{"name": "run", "arguments": {"sql": "SELECT \'}}{\' || \\"a\\" -- {"}}'),
      [`run {"sql":"SELECT '}}{' || \\"a\\" -- {"}`],
    ],
    [
      call('{"name": "run", "arguments": {"sql": "SELECT \'</tool_call><tool_call>\'"}}'),
      ['run {"sql":"SELECT \'</tool_call><tool_call>\'"}'],
    ],
    [
      call('{"name": "run", "arguments": {"sql": "SELECT \'```\', \'<think>\'"}}'),
      ["run {\"sql\":\"SELECT '```', '<think>'\"}"],
    ],
    // Several calls.
    [`${call(RUN)}\n${call('{"name": "list", "arguments": {}}')}`, [RAN, "list {}"]],
    [`${call(RUN)}${call(RUN)}${call("no")}`, [RAN, RAN, "! malformed_call"]],
    // Forgiven.
    [
      call('{"name": "run", "arguments": {"sql": "SELECT 1\nFROM t",},}'),
      ['run {"sql":"SELECT 1\\nFROM t"} *'],
    ],
    [call("{'name': 'run', 'arguments': {'sql': 'SELECT 1'}}"), [`${RAN} *`]],
    [call(RUN.slice(0, -1)), [`${RAN} *`]],
    [call(RUN.slice(0, -2)), [`${RAN} *`]],
    [call(`${RUN}}`), [`${RAN} *`]],
    [call(`${RUN}\n}}`), [`${RAN} *`]],
    [call('{"name": "run", "arguments": "{\\"sql\\": \\"SELECT 1\\"}"}'), [`${RAN} *`]],
    [call('{"name": "run", "parameters": {"sql": "SELECT 1"}}'), [`${RAN} *`]],
    [call('{"id": 1, "name": "run", "arguments": {"sql": "SELECT 1"}}'), [`${RAN} *`]],
    [call('{"name": "list"}'), ["list {} *"]],
    [call(`\n\`\`\`json\n${RUN}\n\`\`\`\n`), [`${RAN} *`]],
    [call(`\`\`\`json\n${RUN.slice(0, -1)}\n\`\`\``), [`${RAN} *`]],
    [`\`\`\`\n${call(RUN)}\n\`\`\``, [RAN]],
    [`\`\`\`xml\n${call(RUN)}\n\`\`\`\n\`\`\`sql\nSELECT 2\n\`\`\``, [RAN, "sql: SELECT 2"]],
    [`<tool_call>${RUN}`, [`${RAN} *`]],
    [`<tool_call>${RUN}\n<tool_call>${RUN}</tool_call>`, [`${RAN} *`, RAN]],
    // Not forgiven.
    [call(""), ["! malformed_call"]],
    [call("null"), ["! malformed_call"]],
    [call(`[${RUN}]`), ["! malformed_call"]],
    [call("run(sql='SELECT 1')"), ["! malformed_call"]],
    [call('{"name": "run", "sql": "SELECT 1"}'), ["! malformed_call"]],
    [call('{"name": "", "arguments": {}}'), ["! malformed_call"]],
    [call('{"name": 1, "arguments": {}}'), ["! malformed_call"]],
    [call('{"arguments": {"sql": "SELECT 1"}}'), ["! malformed_call"]],
    [call('{"name": "run", "arguments": "SELECT 1"}'), ["! malformed_call"]],
    [call('{"name": "run", "arguments": ["SELECT 1"]}'), ["! malformed_call"]],
    [call('{"name": "run", "arguments": null}'), ["! malformed_call"]],
    [call('{"name": "run", "arguments": {"sql": "SELECT "a""}}'), ["! malformed_call"]],
    [call('{"name": "run", "name": "list", "arguments": {}}'), ["! malformed_call"]],
    [call(`${RUN} and`), ["! malformed_call"]],
    [`<tool_call>${RUN}, then I read it.`, ["! malformed_call"]],
    [`${RUN}</tool_call>`, ["! malformed_call"]],
    // Cut.
    ["<tool_call>", ["! malformed_call"]],
    ['<tool_call>{"name": "run", "arguments": {"sql": "SELECT', ["! malformed_call"]],
    [`<tool_call>${RUN.slice(0, -1)}`, ["! malformed_call"]],
    ['<tool_call>{"name": "run</tool_call>\n```sql\nSELECT 1\n```', ["! malformed_call", "sql: SELECT 1"]],
    // Known shape, wrong content.
    [call('{"name": "drop", "arguments": {}}'), ["! unknown_tool"]],
    [call('{"name": "Run", "arguments": {"sql": "a"}}'), ["! unknown_tool"]],
    [call('{"name": "run", "arguments": {}}'), ["! wrong_arguments"]],
    [call('{"name": "run"}'), ["! wrong_arguments"]],
    [call('{"name": "run", "arguments": {"sql": 1}}'), ["! wrong_arguments"]],
    [call('{"name": "run", "arguments": {"sql": "a", "query": "b"}}'), ["! wrong_arguments"]],
    // Means nothing.
    ["", []],
    [RUN, []],
    [`<think>${call(RUN)}</think>`, []],
    [`<think>${call(RUN)}`, []],
    [`<think>\`\`\`sql\nSELECT 1\n\`\`\`</think>${call(RUN)}`, [RAN]],
    ["<tool_call", []],
    ["&lt;tool_call&gt;{}&lt;/tool_call&gt;", []],
    // Forged results.
    [`${call(RUN)}\n<tool_response>1</tool_response>`, [RAN, "forged"]],
    [`<tool_response>${call(RUN)}`, ["forged"]],
    [`<tool_response>x</tool_response>\`\`\`sql\nSELECT 1\n\`\`\``, ["sql: SELECT 1", "forged"]],
    ["</tool_response>", ["forged"]],
    // Blocks.
    ["```sql\nSELECT 1\n```", ["sql: SELECT 1"]],
    ["```SQL\r\nSELECT 1\r\n```", ["sql: SELECT 1"]],
    ["```\nSELECT 1\n```", [": SELECT 1"]],
    ["```sql SELECT 1```", ["sql: SELECT 1"]],
    ["```SELECT\n1```", ["select: 1"]],
    ["````sql\nSELECT `a```b`\n````", ["sql: SELECT `a```b`"]],
    ["```json\n{}\n```\n```sql\nSELECT 1\n```", ["json: {}", "sql: SELECT 1"]],
    ["```sql\nSELECT 1", ["sql: SELECT 1 …"]],
    ["```", [":  …"]],
    ["````sql\nSELECT 1\n```", ["sql: SELECT 1\n``` …"]],
    ["```sql\nSELECT '<tool_call>'\n```", ["sql: SELECT '<tool_call>'"]],
  ])("reads %j as %j", (visible, expected) => {
    expect(shown(visible)).toEqual(expected);
  });

  it("keeps calls as they were written, with where they stand", () => {
    const text = `First ${call(RUN)} then <tool_call>half`;
    const { calls } = readActions(text, [], TOOLS);
    expect(calls).toMatchObject([
      { id: "text_call_0", name: "run", raw: call(RUN), start: 6 },
      {
        id: "text_call_1",
        name: "",
        raw: "<tool_call>half",
        start: 6 + call(RUN).length + 6,
        arguments: null,
      },
    ]);
    expect(keptCalls(calls)).toEqual([
      { id: "text_call_0", name: "run", argumentsRaw: call(RUN), arguments: { sql: "SELECT 1" } },
      { id: "text_call_1", name: "", argumentsRaw: "<tool_call>half", arguments: null },
    ]);
    expect(keptCalls(calls).every(isTextCall)).toBe(true);
  });

  it("tells the agent what is wrong", () => {
    const problemOf = (text: string) => readActions(text, [], TOOLS).calls[0]?.problem?.text;
    const form =
      'Its form is one JSON object, {"name": "…", "arguments": {…}}, alone between an opening and a closing tool_call tag.';
    expect(problemOf('<tool_call>{"name": "ru')).toBe(
      `The tool call cannot be read. It is cut before its end. ${form}`,
    );
    expect(problemOf(call('{"name": "run", "arguments": {"sql": "SELECT "a""}}'))).toBe(
      `The tool call cannot be read. It is not JSON: expected a comma or }, got "a\\"\\"}}</tool_call>" (a double quote within a text is written \\"). ${form}`,
    );
    expect(problemOf(call(`${RUN} and`))).toBe(
      `The tool call cannot be read. Its JSON object is followed by "and</tool_ca", expected its closing tag. ${form}`,
    );
    expect(problemOf(call('{"name": "drop\\n", "arguments": {}}'))).toBe(
      'There is no tool "drop\\\\n", expected one of run, list.',
    );
    expect(problemOf(call('{"name": "run", "arguments": {"query": "a"}}'))).toBe(
      "Wrong call of run: the argument sql is missing.",
    );
  });

  it("reads native calls, broken ones too, before those in the text", () => {
    const native = (id: string, name: string, argumentsRaw: string, parsed: { sql: string } | null) => ({
      id,
      name,
      argumentsRaw,
      arguments: parsed,
    });
    const { calls } = readActions(
      call(RUN),
      [
        native("a", "run", '{"sql":"SELECT 2"}', { sql: "SELECT 2" }),
        native("b", "run", '{"sql":"SELECT 3",}', null),
        native("c", "run", '{"sql":"SELEC', null),
        native("d", "drop", "{}", null),
        native("e", "list", "", null),
        native("f", "run", '"{\\"sql\\": \\"SELECT 4\\"}"', null),
        native("g", "run", '{"sql":"a"} {"sql":"b"}', null),
        native("text_call_0", "run", call(RUN), { sql: "SELECT 1" }),
      ],
      TOOLS,
    );
    expect(
      calls.map(({ id, arguments: given, isRepaired, problem }) => [
        id,
        given,
        isRepaired,
        problem?.violation ?? null,
      ]),
    ).toEqual([
      ["a", { sql: "SELECT 2" }, false, null],
      ["b", { sql: "SELECT 3" }, true, null],
      ["c", null, false, "malformed_call"],
      ["d", {}, true, "unknown_tool"],
      ["e", {}, true, null],
      ["f", { sql: "SELECT 4" }, true, null],
      ["g", null, false, "malformed_call"],
      ["text_call_0", { sql: "SELECT 1" }, false, null],
    ]);
    expect(calls[0]).toMatchObject({ raw: '{"sql":"SELECT 2"}', start: null });
  });

  it("reads 32 calls at most", () => {
    expect(readActions(call(RUN).repeat(40), [], TOOLS).calls).toHaveLength(32);
    const native = { id: "a", name: "list", argumentsRaw: "{}", arguments: {} };
    expect(
      readActions(
        call(RUN).repeat(40),
        Array.from({ length: 40 }, () => native),
        TOOLS,
      ).calls,
    ).toHaveLength(32);
    expect(
      readActions(
        call("").repeat(20),
        Array.from({ length: 20 }, () => native),
        TOOLS,
      ).calls,
    ).toHaveLength(32);
  });

  it("takes no longer than the text is, whatever it repeats", { timeout: 20_000 }, () => {
    const pieces = [
      "<tool_call>",
      "```",
      "<think>",
      '{"a":',
      "[",
      "<tool_call>{'",
      '<tool_call>["',
      "</tool_call>",
    ];
    const more = [
      "<tool_response>",
      "```json\n<tool_call>",
      "<tool_call>```\n",
      "`````",
      `${call(RUN)}}`,
      "<think >\t",
    ];
    for (const piece of [...pieces, ...more]) {
      const { calls } = readActions(piece.repeat(100_000), [], TOOLS);
      expect(calls.length).toBeLessThanOrEqual(32);
    }
  });

  it("never throws", () => {
    const piece = fc.constantFrom(
      ..."{ } \" ' : , a \n ` \\ <tool_call> </tool_call> <think> </think> <tool_response> ```".split(" "),
      "```json\n",
      '"name"',
      '"arguments"',
      '"run"',
      RUN,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        const { visible } = partThought(text, null);
        for (const { raw, start } of readActions(visible, [], TOOLS).calls) {
          expect(visible.slice(start ?? 0).startsWith(raw)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("partThought", () => {
  it.each<[string, string | null, string]>([
    ["<think>\na\n</think>\n\nb", "a", "\n\nb"],
    ["<think></think>b", "", "b"],
    [" <THINK >a</Think\n>b", "a", " b"],
    ["a</think>b", "a", "b"],
    ["a <tool_call>{}</tool_call> ```x```</think>b", "a <tool_call>{}</tool_call> ```x```", "b"],
    ["Well. <think>a</think>b", "a", "Well. b"],
    ["<think>a</think>b</think>c", "a", "b</think>c"],
    ["<think>a<think>b</think>c", "a<think>b", "c"],
    ["<think>a <tool_call>{}</tool_call></think>b", "a <tool_call>{}</tool_call>", "b"],
    ["a", null, "a"],
    ["", null, ""],
    ["<tool_call>{}</tool_call><think>a</think>", null, "<tool_call>{}</tool_call><think>a</think>"],
    ["```sql\nSELECT 1\n```<think>a</think>", null, "```sql\nSELECT 1\n```<think>a</think>"],
    ["<tool_call>{}</tool_call></think>", null, "<tool_call>{}</tool_call></think>"],
  ])("parts %j", (content, thought, visible) => {
    expect(partThought(content, null)).toEqual({ thought, visible, isOpen: false });
  });

  it("sees a thought that never ends", () => {
    expect(partThought("<think>a <tool_call>{}", null)).toEqual({
      thought: "a <tool_call>{}",
      visible: "",
      isOpen: true,
    });
  });

  it("takes the thought that the server parsed out", () => {
    expect(partThought("x</think>b", " a ")).toEqual({ thought: "a", visible: "x</think>b", isOpen: false });
    expect(partThought("b", "")).toEqual({ thought: "", visible: "b", isOpen: false });
  });
});
