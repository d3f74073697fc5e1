import { describe, expect, it } from "vitest";
import type { ExecutionStatus } from "../../../core/execution.ts";
import syntax from "../../../curation/metrics/syntax.ts";
import { pairOf, resultOf, unnamed } from "./judged-pair.ts";

const ran = unnamed([[1n]]);

describe("syntax", () => {
  it.each<[ExecutionStatus, number]>([
    ["ok", 1],
    ["empty", 1],
    ["timeout", 1],
    ["too_large", 1],
    ["error", 0],
    ["denied", 0],
  ])("scores a prediction that ended %s", (status, score) => {
    expect(syntax.judge(pairOf(ran, unnamed([], status)))).toEqual({ status: "scored", score });
  });

  it("does not take a blank text for a query", () => {
    expect(syntax.judge(pairOf(ran, resultOf([], [])))).toEqual({ status: "scored", score: 0 });
  });

  it("gives no score where the process died, or the gold failed too", () => {
    expect(syntax.judge(pairOf(ran, unnamed([], "crashed")))).toMatchObject({ reason: "prediction_crashed" });
    const failed = unnamed([], "error");
    expect(syntax.judge(pairOf(failed, failed))).toMatchObject({ reason: "gold_error" });
    expect(syntax.judge(pairOf(failed, ran))).toEqual({ status: "scored", score: 1 });
  });
});
