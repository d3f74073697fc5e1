import { describe, expect, it } from "vitest";
import type { ScoredSample } from "../../core/rows.ts";
import { Message, Trajectory } from "../../core/trajectory.ts";
import { type ExplainedSample, renderRollout, showExecution } from "../../pipelines/render-rollout.ts";
import { PLAIN_STYLE, TERMINAL_STYLE } from "../../pipelines/terminal-text.ts";
import { example } from "../synth/synth-rows.ts";

const PLAIN = { full: false, style: PLAIN_STYLE };

function message(parts: Partial<Message>): Message {
  return Message.parse({
    role: "assistant",
    origin: "sampled",
    rawText: "",
    rawExact: false,
    reasoning: null,
    content: "",
    toolCalls: [],
    toolCallId: null,
    train: false,
    weight: 0,
    trainReason: "prompt",
    ...parts,
  });
}

function given(role: "system" | "user", text: string): Message {
  return message({ role, origin: "given", rawText: text, content: text });
}

function call(id: string, name: string, sql: string): Message["toolCalls"][number] {
  return { id, name, argumentsRaw: JSON.stringify({ sql }), arguments: { sql } };
}

const MESSAGES: readonly Message[] = [
  given("system", "You answer with SQL."),
  given("user", Array.from({ length: 9 }, (_, line) => `line ${line}`).join("\n")),
  message({
    rawText: "<think>look first</think><sql>SELECT 1</sql>",
    reasoning: "look first",
    content: "<sql>SELECT 1</sql>",
    toolCalls: [
      { id: "a", name: "sql", argumentsRaw: "<sql>SELECT 1</sql>", arguments: { sql: "SELECT 1" } },
    ],
    trainReason: "masked_by_guardrail",
    steps: ["PROPOSE", "EXECUTE"],
  }),
  message({ role: "user", origin: "environment", rawText: "1\n(1 row)", trainReason: "environment" }),
  message({
    rawText: "Now the tool.",
    content: "Now the tool.",
    toolCalls: [call("b", "execute_sql", "SELECT name\nFROM boat")],
    train: true,
    weight: 0.5,
    trainReason: "sampled",
  }),
  message({
    role: "tool",
    origin: "environment",
    toolCallId: "b",
    rawText: "no such table: boat",
    trainReason: "environment",
  }),
  message({ role: "user", origin: "injected", rawText: "Answer now.", trainReason: "reminder_no_tag" }),
  message({
    rawText: "{half",
    toolCalls: [{ id: "c", name: "execute_sql", argumentsRaw: "{half", arguments: null }],
    content: "{half",
    train: true,
    weight: 1,
    trainReason: "sampled",
  }),
];

const TRAJECTORY = Trajectory.parse({
  id: "a".repeat(32),
  exampleId: example("1").id,
  sampleIndex: 2,
  round: 1,
  model: { name: "student", revision: "r1" },
  scaffold: { id: "some-agent", version: 1, options: { maxTurns: 3 } },
  source: "simulated",
  pastThoughts: "dropped",
  messages: MESSAGES,
  finalSql: null,
  stopReason: "guardrail",
  stopDetail: "repeated_call",
  usage: { promptTokens: 120, completionTokens: null, costMicroUsd: null },
  seed: 7,
});

function scoredBy(parts: Partial<ScoredSample> = {}): ScoredSample {
  return {
    trajectoryId: TRAJECTORY.id,
    exampleId: TRAJECTORY.exampleId,
    sampleIndex: 2,
    round: 1,
    model: TRAJECTORY.model,
    setting: "some-agent",
    simulated: true,
    execution: null,
    verdicts: { "bird-ex": { status: "scored", score: 0 } },
    ...parts,
  };
}

function sampleOf(parts: Partial<Trajectory> = {}, more: Partial<ExplainedSample> = {}): ExplainedSample {
  const known = example("1", { question: "Which boats are there?", gold: ["SELECT name FROM boat"] });
  const trajectory = { ...TRAJECTORY, ...parts };
  return {
    trajectory,
    example: known,
    linkings: [],
    scored: [{ step: "score", sample: scoredBy() }],
    ...more,
  };
}

describe("a rollout", () => {
  it("is told turn by turn: thought, action, result, what was put in, and what is trained on and why", () => {
    const text = renderRollout(sampleOf(), PLAIN);
    const [, turns = ""] = text.split("\nopening\n");
    expect(turns.split("\n")).toEqual([
      "  system     You answer with SQL.",
      "  user       line 0",
      "             line 1",
      "             line 2",
      "             line 3",
      "             line 4",
      "             line 5",
      "             … 62 characters in 9 lines",
      "",
      "turn 1  masked: masked_by_guardrail  PROPOSE > EXECUTE",
      "  thought    look first",
      "  action     sql",
      "             sql: SELECT 1",
      "  result     1",
      "             (1 row)",
      "",
      "turn 2  trained, weight 0.5: sampled",
      "  says       Now the tool.",
      "  action     execute_sql",
      "             sql: SELECT name",
      "             FROM boat",
      "  result     (of execute_sql)",
      "             no such table: boat",
      "  injected   (not trained: reminder_no_tag)",
      "             Answer now.",
      "",
      "turn 3  trained, weight 1: sampled",
      "  action     execute_sql (its arguments are no JSON object)",
      "             {half",
    ]);
  });

  it("does not tell a thought twice that stands in the text", () => {
    const content = "<reasoning>\nfirst\n\nsecond\n</reasoning>\n<solution>\nSELECT 1\n</solution>";
    const reply = message({ rawText: content, content, reasoning: "first\n\nsecond" });
    const [, turn] = renderRollout(sampleOf({ messages: [reply] }), PLAIN).split("\nturn 1  ");
    expect(turn?.split("\n").slice(1)).toEqual([
      "  thought    first",
      "",
      "             second",
      "  says       <solution>",
      "             SELECT 1",
      "             </solution>",
    ]);
  });

  it("says what it is, how it ended and what the metrics say of it", () => {
    const [head = ""] = renderRollout(sampleOf(), PLAIN).split("\n\nopening\n");
    const { dataset, sourceId, databaseId } = example("1");
    expect(head.split("\n")).toEqual([
      `sample ${"a".repeat(32)}`,
      `  of         ${dataset.name} ${dataset.split} ${sourceId}, database ${databaseId}`,
      "  question   Which boats are there?",
      "  gold       SELECT name FROM boat",
      "  model      student, r1",
      '  scaffold   some-agent {"maxTurns":3}',
      "  taken      simulated, sample 2 of round 1, seed 7",
      "  thoughts   past ones are dropped",
      "  tokens     120 of prompts, ? of replies",
      "  stop       guardrail: repeated_call",
      "  answer     none",
      "  verdict    bird-ex 0",
      "  trained    2 of 3 replies, weight 0.5, 1; 1 masked",
    ]);
  });

  it("of a linker tells the links", () => {
    const links = [
      { table: "boat", columns: ["name", "year"] },
      { table: "port", columns: [] },
    ];
    const text = renderRollout(sampleOf({ links, stopReason: "answered" }), PLAIN);
    expect(text).toContain("  links      boat (name, year)\n             port\n");
    expect(text).not.toContain("  answer ");
  });

  it("that began with a linker's tells what that found", () => {
    const found = { ...TRAJECTORY, id: "b".repeat(32), links: [{ table: "boat", columns: ["name"] }] };
    const lost = { ...TRAJECTORY, id: "c".repeat(32), stopReason: "turn_budget" as const };
    const text = renderRollout(sampleOf({}, { linkings: [found, lost] }), PLAIN);
    expect(text).toContain(`  linked by  sample ${found.id}\n             boat (name)\n`);
    expect(text).toContain(
      `  linked by  sample ${lost.id}\n             turn_budget, so that the whole schema was shown\n`,
    );
  });

  it("has the verdicts of every step, with what is behind them and why there is none", () => {
    const execution = {
      status: "ok",
      message: "",
      rows: 2,
      columns: 1,
      digest: "",
      orderedDigest: "",
    } as const;
    const timeout = { status: "unscored", reason: "gold_timeout", message: "over 60 s" } as const;
    const graded = { status: "scored", score: 0.5, details: { matched: 1 } } as const;
    const first = scoredBy({ verdicts: { "bird-ex": timeout, graded } });
    const text = renderRollout(
      sampleOf(
        {},
        {
          scored: [
            { step: "score", sample: first },
            { step: "evaluation-score", sample: scoredBy({ execution }) },
          ],
        },
      ),
      PLAIN,
    );
    expect(text).toContain("  verdict    bird-ex gold_timeout (over 60 s) (score)\n");
    expect(text).toContain('  verdict    graded 0.5 {"matched":1} (score)\n');
    expect(text).toContain("  verdict    bird-ex 0 (evaluation-score)\n");
    expect(text).toContain("  executed   ok (2 rows) (evaluation-score)\n");
  });

  it("of which little is known tells that", () => {
    const text = renderRollout(
      sampleOf({ messages: MESSAGES.slice(2), seed: null }, { example: null, scored: [] }),
      PLAIN,
    );
    expect(text).toContain(`  of         example ${TRAJECTORY.exampleId}\n`);
    expect(text).toContain("  verdict    none yet\n");
    expect(text).toContain("opening\n  not recorded\n\nturn 1");
  });

  it("in full shortens nothing and shows replies as they were sampled", () => {
    const text = renderRollout(sampleOf(), { full: true, style: PLAIN_STYLE });
    expect(text).toContain("             line 8\n");
    expect(text).not.toContain("…");
    expect(text).toContain("  raw text   <think>look first</think><sql>SELECT 1</sql>\n");
  });

  it("shows thoughts dim on a terminal", () => {
    const text = renderRollout(sampleOf(), { full: false, style: TERMINAL_STYLE });
    expect(text).toContain("  thought    \u001B[2mlook first\u001B[22m\n");
  });

  it("cannot take hold of the terminal, whoever wrote its parts", () => {
    const hostile = "x\u001B]0;title\u0007\u202Ey\u009B2J\u2028z";
    const hidden = message({
      ...(MESSAGES[2] as Message),
      reasoning: hostile,
      content: hostile,
      trainReason: hostile,
      steps: [hostile],
      toolCalls: [{ id: "b", name: hostile, argumentsRaw: hostile, arguments: { [hostile]: hostile } }],
    });
    const shown = message({ ...(MESSAGES[5] as Message), rawText: hostile });
    const injected = message({ ...(MESSAGES[6] as Message), rawText: hostile, trainReason: hostile });
    const trajectory = {
      messages: [given("user", hostile), hidden, shown, injected],
      finalSql: hostile,
      stopDetail: hostile,
      links: [{ table: hostile, columns: [hostile] }],
      model: { name: hostile, revision: hostile },
    };
    const known = example("1", { question: hostile, evidence: hostile, gold: [hostile], sourceId: hostile });
    const verdicts = { [hostile]: { status: "unscored", reason: hostile, message: hostile } } as const;
    const scored = [{ step: "score", sample: scoredBy({ verdicts }) }];
    for (const full of [true, false]) {
      const text = renderRollout(sampleOf(trajectory, { example: known, scored }), {
        full,
        style: PLAIN_STYLE,
      });
      expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(text).toContain(String.raw`x\u001b]0;title\u0007\u202ey\u009b2J\u2028z`);
    }
  });
});

it("an execution is told in few words", () => {
  const execution = { rows: 0, columns: 0, digest: "", orderedDigest: "" };
  expect(showExecution({ ...execution, status: "empty", message: "" })).toBe("empty (0 rows)");
  expect(showExecution({ ...execution, status: "error", message: "no such column: x" })).toBe(
    "error (no such column: x)",
  );
});
