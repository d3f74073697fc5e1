import { describe, expect, it } from "vitest";
import { type ChangeEffect, hasRun, signsOf } from "../../../pipelines/audit/release-change.ts";

type Status = "ok" | "empty" | "error" | "timeout";

function effect(before: Status, after: Status, changes: Partial<ChangeEffect> = {}): ChangeEffect {
  const ending = (status: Status) => ({ status, message: "", rows: status === "ok" ? 1 : 0 });
  return {
    before: ending(before),
    after: ending(after),
    result: null,
    rightBefore: 0,
    rightAfter: 0,
    moved: [],
    consensus: null,
    ...changes,
  };
}

describe("signsOf", () => {
  it("tells what a new gold breaks and repairs", () => {
    expect(signsOf(["gold"], [], effect("ok", "error"))).toEqual(["stops_running"]);
    expect(signsOf(["gold"], [], effect("empty", "timeout"))).toEqual(["stops_running"]);
    expect(signsOf(["gold"], [], effect("ok", "empty", { result: "different" }))).toEqual(["becomes_empty"]);
    expect(signsOf(["gold"], [], effect("error", "error"))).toEqual(["still_failing"]);
    expect(signsOf(["gold"], [], effect("error", "ok"))).toEqual(["starts_running"]);
    expect(signsOf(["gold"], [], effect("empty", "ok", { result: "different" }))).toEqual(["becomes_filled"]);
    expect(signsOf(["question"], [], effect("error", "error"))).toEqual([]);
  });

  it("tells changes that change nothing", () => {
    expect(signsOf(["gold"], [], effect("ok", "ok", { result: "same_rows" }))).toEqual(["no_op_result"]);
    expect(signsOf(["gold"], [], effect("ok", "ok", { result: "same_set" }))).toEqual([]);
    expect(signsOf(["gold", "question"], [], effect("ok", "ok", { result: "same_order" }))).toEqual([]);
    expect(signsOf(["gold", "evidence"], ["gold", "evidence"], null)).toEqual(["no_op_text"]);
    expect(signsOf(["gold", "evidence"], ["gold"], null)).toEqual([]);
    expect(signsOf(["added"], [], null)).toEqual([]);
  });

  it("tells a gold that most systems contradict", () => {
    const consensus = { voters: 8, votes: 6, sql: "x", agreesWithBefore: true, agreesWithAfter: false };
    expect(signsOf(["gold"], [], effect("ok", "ok", { consensus }))).toEqual(["against_consensus"]);
    expect(
      signsOf(["gold"], [], effect("ok", "ok", { consensus: { ...consensus, agreesWithAfter: true } })),
    ).toEqual([]);
  });
});

it("a statement has run where it gave a result", () => {
  expect((["ok", "empty", "error", "denied"] as const).map((status) => hasRun({ status }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
