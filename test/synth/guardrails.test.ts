import { describe, expect, it } from "vitest";
import { Guardrails } from "../../core/guardrail.ts";
import type { Message } from "../../core/trajectory.ts";
import { keptCalls, readActions, type ReadCall } from "../../synth/call-parser.ts";
import { environmentMessage, injectedMessage, sampledMessage } from "../../synth/episode-messages.ts";
import {
  actionsOf,
  answeredCalls,
  callFaults,
  countFaults,
  forgeryFaults,
  guard,
  thoughtFaults,
  toolResponseText,
  trailingFaults,
  type Fault,
} from "../../synth/guardrails.ts";
import { modelReply } from "../fakes/model.ts";

const TOOLS = [
  {
    name: "run",
    description: "Runs.",
    parameters: { type: "object", properties: { sql: { type: "string" } }, required: ["sql"] },
  },
];
const TEST = Guardrails.parse({});
const TRAINING = Guardrails.parse({ mode: "training" });
const TELLING = { toolIdOf: (name: string) => (name === "run" ? "run-sql" : undefined) };

function callsIn(...json: readonly string[]): readonly ReadCall[] {
  return readActions(json.map((one) => `<tool_call>${one}</tool_call>`).join(""), [], TOOLS).calls;
}

const run = (sql: string): string => JSON.stringify({ name: "run", arguments: { sql } });
const SEVERAL: Fault = { violation: "several_actions", text: "Two actions.", isFatal: false };
const NONE: Fault = { violation: "no_action", text: "No </tool_response> action.", isFatal: true };
const SLIP: Fault = { violation: "malformed_call", text: "", isFatal: false, isSlip: true };
const REPLY = { calls: [], answers: false, turnsLeft: 3 };

/** A reply with a call, and what answered it. */
function asked(sql: string, answer: Message): Message[] {
  const toolCalls = keptCalls(callsIn(run(sql)));
  return [sampledMessage(modelReply("x"), { reasoning: "a", content: "x", toolCalls, restored: "" }), answer];
}

describe("guard", () => {
  it("lets a reply without faults stand", () => {
    expect(guard([], REPLY, TRAINING, TELLING)).toBeNull();
  });

  it("ends the rollout in training mode, by the first fault that counts", () => {
    expect(guard([SLIP, SEVERAL], REPLY, TRAINING, TELLING)).toEqual({
      kind: "stop",
      reason: "guardrail",
      detail: "malformed_call",
      masksEarlier: true,
    });
    const lenient = Guardrails.parse({ mode: "training", checks: ["several_actions"], masksEarlier: false });
    expect(guard([SLIP, SEVERAL], REPLY, lenient, TELLING)).toMatchObject({
      detail: "several_actions",
      masksEarlier: false,
    });
  });

  it("tells the agent in test mode, in the form of a tool's result that nothing closes", () => {
    expect(guard([SLIP, NONE], REPLY, TEST, { ...TELLING, result: (text) => `{${text}}` })).toMatchObject({
      kind: "remind",
      messages: [
        {
          role: "user",
          origin: "injected",
          trainReason: "guardrail_no_action",
          train: false,
          rawText: "<tool_response>\n{No \\u003c/tool_response> action.}\n</tool_response>",
        },
      ],
    });
  });

  it("answers each call of a server's interface that was not made", () => {
    const native = ["a", "b"].map((id) => ({ ...(callsIn(run("x"))[0] as ReadCall), id }));
    const reaction = guard([SEVERAL], { ...REPLY, calls: [...native, ...callsIn(run("y"))] }, TEST, TELLING);
    expect(reaction).toMatchObject({
      kind: "remind",
      messages: [
        { role: "tool", toolCallId: "a", origin: "injected", content: "Two actions." },
        { role: "tool", toolCallId: "b", origin: "injected", content: "Two actions." },
      ],
    });
  });

  it("makes a bad call a tool error of its own, beside which others are made", () => {
    const calls = callsIn(run("a"), '{"name": "drop", "arguments": {}}', "half");
    expect(guard(callFaults(calls, []), { ...REPLY, calls }, TEST, TELLING)).toEqual({
      kind: "act",
      actions: [
        { callId: "text_call_0", toolId: "run-sql", arguments: { sql: "a" }, problem: null },
        {
          callId: "text_call_1",
          toolId: "drop",
          arguments: {},
          problem: 'There is no tool "drop", expected one of run.',
        },
        {
          callId: "text_call_2",
          toolId: "",
          arguments: {},
          problem: expect.stringContaining("The tool call cannot be read.") as string,
        },
      ],
    });
  });

  it("lets pass what is not checked, unless the reply means nothing with it", () => {
    for (const mode of ["training", "test"] as const) {
      const unchecked = Guardrails.parse({ mode, checks: [] });
      expect(guard([SEVERAL, SLIP], REPLY, unchecked, TELLING)).toBeNull();
      expect(guard([NONE], REPLY, unchecked, TELLING)).toMatchObject({ kind: "remind" });
    }
  });

  it("takes an answer that can be read on the last reply of test mode", () => {
    const last = { calls: [], answers: true, turnsLeft: 0 };
    expect(guard([SEVERAL], last, TEST, TELLING)).toBeNull();
    expect(guard([SEVERAL], { ...last, turnsLeft: 1 }, TEST, TELLING)).toMatchObject({ kind: "remind" });
    expect(guard([SEVERAL], { ...last, answers: false }, TEST, TELLING)).toMatchObject({ kind: "remind" });
    expect(guard([SEVERAL], last, TRAINING, TELLING)).toMatchObject({ kind: "stop" });
  });
});

describe("faults", () => {
  const violations = (faults: readonly Fault[]) => faults.map(({ violation }) => violation);

  it("finds a thought that says nothing", () => {
    expect(violations(thoughtFaults(null, "here"))).toEqual(["empty_thought"]);
    expect(violations(thoughtFaults(" \n", "here"))).toEqual(["empty_thought"]);
    expect(thoughtFaults("a", "here")).toEqual([]);
  });

  it("finds forged results, and none or too many actions", () => {
    expect(violations(forgeryFaults(true))).toEqual(["forged_result"]);
    expect(forgeryFaults(false)).toEqual([]);
    expect(violations(countFaults(0, ""))).toEqual(["no_action"]);
    expect(countFaults(1, "")).toEqual([]);
    expect(violations(countFaults(3, ""))).toEqual(["several_actions"]);
  });

  it("finds calls that were made before, whatever the order of their arguments", () => {
    const earlier = asked("a", environmentMessage("1"));
    expect(callFaults(callsIn(run("b")), earlier)).toEqual([]);
    expect(violations(callFaults(callsIn(run("a")), earlier))).toEqual(["repeated_call"]);
    expect(violations(callFaults(callsIn(run("b"), run("b")), []))).toEqual(["repeated_call"]);
    expect(callFaults(callsIn(run("a ")), earlier)).toEqual([]);
    const wide = '{"name": "run", "arguments": {"sql": "a", "more": 1}}';
    const other = '{"arguments": {"more": 1, "sql": "a"}, "name": "run"}';
    expect(violations(callFaults(callsIn(wide, other), []))).toEqual(["repeated_call"]);
  });

  it("does not count calls that were refused", () => {
    const refused = asked("a", injectedMessage("no", "guardrail_empty_thought"));
    expect(callFaults(callsIn(run("a")), refused)).toEqual([]);
    expect(answeredCalls(refused)).toEqual([]);
    expect(answeredCalls(asked("a", environmentMessage("1")))).toMatchObject([{ arguments: { sql: "a" } }]);
  });

  it("puts problems before slips, and slips before repetitions", () => {
    const calls = callsIn(run("a"), `${run("b")}}`, "half");
    const earlier = asked("a", environmentMessage("1"));
    expect(callFaults(calls, earlier)).toMatchObject([
      { violation: "malformed_call", isFatal: true },
      { violation: "malformed_call", isSlip: true },
      { violation: "repeated_call" },
    ]);
  });

  it("measures the text after the block by all of the reply", () => {
    const block = { language: "sql", inner: "", start: 0, end: 10, isClosed: true };
    const trailing = (visible: number, whole: number) =>
      violations(trailingFaults(block, { visible: "x".repeat(visible), rawText: "x".repeat(whole) }, TEST));
    expect(trailing(20, 20)).toEqual([]);
    expect(trailing(21, 21)).toEqual(["trailing_text"]);
    expect(trailing(21, 100)).toEqual([]);
    expect(trailingFaults(undefined, { visible: "x", rawText: "x" }, TEST)).toEqual([]);
  });
});

it("keeps what tools say inside their tags", () => {
  expect(toolResponseText("a</tool_response>")).toBe(
    "<tool_response>\na\\u003c/tool_response>\n</tool_response>",
  );
});

it("names the tools of calls by their ids", () => {
  expect(actionsOf(callsIn(run("a")), TELLING.toolIdOf)).toEqual([
    { callId: "text_call_0", toolId: "run-sql", arguments: { sql: "a" }, problem: null },
  ]);
});
