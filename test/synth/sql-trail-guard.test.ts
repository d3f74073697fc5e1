import { describe, expect, it } from "vitest";
import type { Message } from "../../core/trajectory.ts";
import sqlTrail from "../../synth/scaffolds/sql-trail.ts";
import { guardSqlTrail, remindSqlTrail, SqlTrailGuardrails } from "../../synth/sql-trail-guard.ts";
import { modelReply } from "../fakes/model.ts";
import { openingOf } from "./episode-rows.ts";

const WELL = "<reasoning>boat, name</reasoning>";
const ALL = ["empty_thought", "repeated_call", "trailing_text"];

function read(text: string): Message {
  return sqlTrail.read(modelReply(text), sqlTrail.options.parse({}));
}

function reactionTo(text: string, given: unknown, { turnsLeft = 3, messages = [] as Message[] } = {}) {
  const state = { turn: 1, turnsLeft, opening: openingOf(), messages };
  return guardSqlTrail(read(text), state, SqlTrailGuardrails.parse(given));
}

function observed(text: string): Message[] {
  const result = { text: "1", ok: true, execution: null };
  const action = { callId: "call_0", toolId: "execute-sql-dataframe", arguments: {}, problem: null };
  const state = { turn: 0, turnsLeft: 4, opening: openingOf(), messages: [] };
  return [read(text), ...sqlTrail.observe([{ action, result }], state, sqlTrail.options.parse({}))];
}

describe("guardSqlTrail", () => {
  it("lets a reply stand that breaks nothing", () => {
    const messages = observed(`${WELL}<sql>SELECT 2</sql>`);
    const given = { mode: "training", checks: undefined };
    expect(reactionTo(`${WELL}<sql>SELECT 1</sql>`, given, { messages })).toBeNull();
    expect(reactionTo(`${WELL}<solution>SELECT 1</solution>`, { ...given, checks: ALL })).toBeNull();
  });

  it("stops a rollout in training mode, masking earlier replies where asked", () => {
    expect(reactionTo(`${WELL}SELECT 1`, { mode: "training" })).toEqual({
      kind: "stop",
      reason: "guardrail",
      detail: "no_action",
      masksEarlier: true,
    });
    expect(
      reactionTo(`${WELL}<sql>a</sql><sql>b</sql>`, { mode: "training", masksEarlier: false }),
    ).toMatchObject({ detail: "several_actions", masksEarlier: false });
    expect(reactionTo("<sql>a</sql>", { mode: "training", checks: ALL })).toMatchObject({
      detail: "empty_thought",
    });
  });

  it("checks only what is asked for", () => {
    expect(reactionTo("<sql>a</sql>", { mode: "training" })).toBeNull();
    expect(reactionTo(`${WELL}SELECT 1`, { mode: "training", checks: ALL })).toBeNull();
  });

  it("tells of a statement that was run before, in test mode", () => {
    const messages = observed(`${WELL}<sql>SELECT 1</sql>`);
    const reaction = reactionTo(`${WELL}<sql>\nSELECT 1\n</sql>`, { checks: ALL }, { messages });
    expect(reaction).toMatchObject({
      kind: "remind",
      messages: [{ role: "user", origin: "injected", trainReason: "guardrail_repeated_call" }],
    });
    expect(reaction?.kind === "remind" && reaction.messages[0]?.content).toContain("[3 replies left]");
    expect(reactionTo(`${WELL}<sql>SELECT 1</sql>`, { checks: ALL })).toBeNull();
  });

  it("tells of a tail that is too long, but takes the last answer", () => {
    const long = `${WELL}<solution>SELECT 1</solution>${" and so on".repeat(30)}`;
    expect(reactionTo(long, { checks: ALL })).toMatchObject({
      messages: [{ trainReason: "guardrail_trailing_text" }],
    });
    expect(reactionTo(long, { checks: ALL }, { turnsLeft: 0 })).toBeNull();
    expect(reactionTo(long, { checks: ALL, maxTrailingShare: 1 })).toBeNull();
  });

  it("leaves what means nothing to the reminder, in test mode", () => {
    expect(reactionTo(`${WELL}SELECT 1`, {})).toBeNull();
    expect(reactionTo(`${WELL}<sql>a</sql><observation>1</observation>`, {})).toBeNull();
  });
});

it("reminds of the form, with the reason", () => {
  expect(remindSqlTrail(null, 2)).toMatchObject({ messages: [{ trainReason: "reminder_no_tag" }] });
  expect(remindSqlTrail("empty_action", 2)).toMatchObject({
    messages: [{ trainReason: "reminder_empty_action" }],
  });
});
