import { describe, expect, it } from "vitest";
import type { RunTimes } from "../../../core/metric.ts";
import birdRves from "../../../curation/metrics/bird-r-ves.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

const one = unnamed([[1n], [2n]]);

function judge(times: RunTimes, predicted = unnamed([[2n], [1n], [1n]])): unknown {
  return birdRves.judge({ ...pairOf(one, predicted), time: () => times });
}

describe("bird-r-ves", () => {
  it.each<[string, number[], number, number]>([
    ["twice as fast", [1.5, 2.5], 2, 1.25],
    ["as fast", [0.75, 1.25], 1, 1],
    ["half as fast", [0.25, 0.75], 0.5, 0.75],
    ["a quarter as fast", [0.125, 0.375], 0.25, 0.5],
    ["slower still", [0.0625, 0.1875], 0.125, 0.25],
  ])("scores the root of the reward of an answer %s", (_, gold, ratio, reward) => {
    const verdict = judge({ gold, predicted: [1, 1] });
    expect(verdict).toEqual({ status: "scored", score: Math.sqrt(reward), details: { reward, ratio } });
  });

  it("scores 0 as the official code does where every round has one ratio", () => {
    const verdict = judge({ gold: [2, 2], predicted: [1, 1] });
    expect(verdict).toEqual({ status: "scored", score: 0, details: { reward: 0 } });
  });

  it("scores another result 0 and does not time it", () => {
    const pair = pairOf(one, unnamed([[1n]]));
    const time = (): RunTimes => {
      throw new Error("timed");
    };
    expect(birdRves.judge({ ...pair, time })).toEqual({ status: "scored", score: 0, details: { reward: 0 } });
  });

  it("has no score of what was not timed", () => {
    expect(birdRves.judge(pairOf(one, one))).toMatchObject({ status: "unscored", reason: "not_timed" });
  });

  it("asks for timings, so that no stage takes it", () => {
    expect(birdRves.needs).toEqual({ rows: true, timings: true });
  });
});
