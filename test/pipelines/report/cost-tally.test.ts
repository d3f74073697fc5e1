import { expect, it } from "vitest";
import { CostTally, type CostedAnswer } from "../../../pipelines/report/cost-tally.ts";
import { systemKey } from "../../../pipelines/report/system-labels.ts";

const ANSWER: CostedAnswer = {
  model: { name: "m", revision: "1" },
  setting: "s",
  round: 0,
  promptTokens: 100,
  completionTokens: 20,
  costMicroUsd: 1_500_000,
  replies: 3,
  toolCalls: 2,
  stopReason: "answered",
};

const LABELS = new Map([[systemKey(ANSWER), "mine"]]);

it("adds up tokens and cost, and means an answer", () => {
  const tally = new CostTally();
  tally.add(ANSWER);
  tally.add({
    ...ANSWER,
    promptTokens: 300,
    costMicroUsd: 500_000,
    replies: 1,
    toolCalls: 0,
    stopReason: "length",
  });
  tally.add({ ...ANSWER, promptTokens: 200, costMicroUsd: 1_000_000 });
  expect(tally.figures(LABELS, [])).toEqual([
    {
      system: "mine",
      answers: 3,
      promptTokens: 600,
      completionTokens: 60,
      costUsd: 3,
      tokensPerAnswer: 220,
      costUsdPerAnswer: 1,
      repliesPerAnswer: 7 / 3,
      toolCallsPerAnswer: 4 / 3,
      mean: null,
      low: null,
      high: null,
      stopReasons: [
        { reason: "answered", count: 2 },
        { reason: "length", count: 1 },
      ],
    },
  ]);
});

it("knows no sum over an answer that does not say", () => {
  const tally = new CostTally();
  tally.add(ANSWER);
  tally.add({ ...ANSWER, completionTokens: null, costMicroUsd: null });
  expect(tally.figures(LABELS, [])[0]).toMatchObject({
    promptTokens: 200,
    completionTokens: null,
    tokensPerAnswer: null,
    costUsd: null,
  });
});
