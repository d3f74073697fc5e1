import { describe, expect, it } from "vitest";
import type { Message } from "../../core/trajectory.ts";
import { reactToMtsql, standingAfter } from "../../synth/mtsql-episode.ts";
import mtsql from "../../synth/scaffolds/mtsql-r1.ts";
import { modelReply } from "../fakes/model.ts";
import { openingOf } from "./episode-rows.ts";

const HISTORY = [{ question: "How many boats?", sql: "SELECT count(*) FROM boat" }];
const call = (name: string, code: string) =>
  `<tool_call>${JSON.stringify({ name, arguments: { code } })}</tool_call>`;
const check = (which: string, verdict: string) => `<${which}_check>${verdict}</${which}_check>`;
const final = (sql: string) => `<final_answer>${sql}</final_answer>`;

/** Plays replies, each behind a thought, and tells what came of each: the tool called, the answer or the fault. */
function play(replies: readonly string[], hasMemory: boolean, given: Record<string, never> = {}): string[] {
  const options = mtsql.options.parse(given) as never;
  const opening = openingOf({ history: hasMemory ? HISTORY : [] });
  const messages: Message[] = [...mtsql.open(opening, options)];
  return replies.map((text, turn) => {
    const message = mtsql.read(modelReply(`<think>so</think>${text}`), options);
    const state = { turn, turnsLeft: 9 - turn, opening, messages: [...messages] };
    const reaction = mtsql.react(message, state, options);
    messages.push(message);
    if (reaction.kind === "answer") return `answer ${reaction.sql}`;
    if (reaction.kind === "stop") return `stop ${reaction.detail ?? ""}`;
    if (reaction.kind === "remind") {
      messages.push(...reaction.messages);
      return reaction.messages[0]?.rawText.split("\n")[1] ?? "";
    }
    if (reaction.kind !== "act") return reaction.kind;
    const results = reaction.actions.map((action) => ({
      action,
      result: { text: "Outcome: result", ok: true, execution: null },
    }));
    messages.push(...mtsql.observe(results, state, options));
    return reaction.actions.map(({ toolId, problem }) => problem ?? toolId).join(" ");
  });
}

describe("reactToMtsql", () => {
  it("lets the shortest episodes pass, with two interactions and with one", () => {
    expect(
      play(
        [
          call("exec_sql", "SELECT 1"),
          `${check("execution", "pass")}${call("memory_retrieve", "SELECT 1")}`,
          `${check("memory", "pass")}${final("SELECT 1")}`,
        ],
        true,
      ),
    ).toEqual(["exec-sql", "memory-retrieve", "answer SELECT 1"]);
    expect(
      play([call("exec_sql", "SELECT 1"), `${check("execution", "pass")}${final("SELECT 1")}`], false),
    ).toEqual(["exec-sql", "answer SELECT 1"]);
  });

  it("lets corrections after either check pass", () => {
    expect(
      play(
        [
          call("exec_sql", "SELECT 1"),
          `${check("execution", "fail")}${call("exec_sql", "SELECT 2")}`,
          `${check("execution", "pass")}${call("memory_retrieve", "SELECT 2")}`,
          `${check("memory", "fail")}${call("exec_sql", "SELECT 3")}`,
          `${check("execution", "pass")}${call("memory_retrieve", "SELECT 3")}`,
          `${check("memory", "pass")}${final("SELECT 3")}`,
        ],
        true,
      ),
    ).toEqual(["exec-sql", "exec-sql", "memory-retrieve", "exec-sql", "memory-retrieve", "answer SELECT 3"]);
  });

  it("takes no step of a refused reply: the agent begins again from where it stood", () => {
    const told = play(
      [
        final("SELECT 1"),
        call("exec_sql", "SELECT 1"),
        `${check("execution", "pass")}${final("SELECT 1")}`,
        `${check("execution", "pass")}${check("memory", "pass")}${final("SELECT 1")}`,
        `${check("execution", "pass")}${call("memory_retrieve", "SELECT 1")}`,
        call("memory_retrieve", "SELECT 2"),
        `${check("memory", "pass")}${final("SELECT 2")}`,
        `${check("memory", "pass")}${final("SELECT 1")}`,
      ],
      true,
    );
    const consult = "is due, so nothing of it was done. Begin again from there.";
    expect(told).toEqual([
      `Your reply has FINALIZE (the query in final_answer tags) where PROPOSE (a first query) ${consult}`,
      "exec-sql",
      `Your reply has FINALIZE (the query in final_answer tags) where a call of memory_retrieve ${consult}`,
      `Your reply has M-VERIFY (memory_check: pass) where a call of memory_retrieve ${consult}`,
      "memory-retrieve",
      `Your reply has a call of memory_retrieve where M-VERIFY (memory_check: pass) or M-VERIFY (memory_check: fail) ${consult}`,
      "Your final query is not the one that was run and checked, so it was not taken. Repeat that query unchanged, or run this one first.",
      "answer SELECT 1",
    ]);
  });

  it("stops at a wrong transition in training mode, and lets it pass where it is not checked", () => {
    const replies = [call("exec_sql", "SELECT 1"), final("SELECT 1")];
    expect(play(replies, true, { guardrails: { mode: "training" } } as never)).toEqual([
      "exec-sql",
      "stop wrong_transition",
    ]);
    const unchecked = { guardrails: { mode: "training", checks: ["no_action"] } } as never;
    expect(play(replies, true, unchecked)).toEqual(["exec-sql", "answer SELECT 1"]);
  });

  it("takes an answer on the last reply in test mode, whatever step is due", () => {
    const options = {
      calls: "text",
      guardrails: { mode: "test", checks: ["wrong_transition"], maxTrailingShare: 0.5, masksEarlier: true },
    } as const;
    const message = mtsql.read(modelReply(`<think>so</think>${final("SELECT 1")}`), mtsql.options.parse({}));
    const state = { turn: 4, turnsLeft: 0, opening: openingOf(), messages: [] };
    expect(
      reactToMtsql(message, state, {
        ...options,
        guardrails: { ...options.guardrails, checks: [...options.guardrails.checks] },
      }),
    ).toEqual({
      kind: "answer",
      sql: "SELECT 1",
    });
  });
});

describe("standingAfter", () => {
  it("is the start before the first reply", () => {
    expect(standingAfter([], true)).toEqual({
      progress: { last: null, isMemoryShown: false },
      executed: null,
    });
  });
});
