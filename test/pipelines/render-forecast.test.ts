import { expect, it } from "vitest";
import { renderForecasts } from "../../pipelines/render-forecast.ts";

const rollout = {
  model: "student",
  scaffold: "sql-trail",
  episodes: 800,
  repliesAtLeast: 800,
  repliesAtMost: 8_000,
  promptTokensAtLeast: 1_200_000,
  promptTokensAtMost: 40_000_000,
  completionTokensAtMost: 16_000_000,
  costUsdAtLeast: null,
  costUsdAtMost: null,
};

it("tells ranges, one figure where least and most are the same, and cost where there are prices", () => {
  const single = { ...rollout, scaffold: "single-turn", repliesAtMost: 800, promptTokensAtMost: 1_200_000 };
  const paid = { ...rollout, costUsdAtLeast: 1.204, costUsdAtMost: 63.5 };
  const forecast = { questions: 100, finishedSamples: 12, rollouts: [single, paid] };
  expect(renderForecasts({ sampling: { sample: forecast }, descriptions: {} })).toEqual([
    [
      "sample asks about 100 questions, all in all; 12 finished samples in the ledger are not asked again",
      "  student, single-turn: 800 episodes, 800 replies, 1.2M prompt tokens, up to 16.0M completion tokens",
      "  student, sql-trail: 800 episodes, 800 to 8k replies, 1.2M to 40.0M prompt tokens, up to 16.0M completion tokens, $1.20 to $63.50",
    ].join("\n"),
  ]);
});

it("says nothing where nothing would be sampled", () => {
  expect(renderForecasts({ sampling: {}, descriptions: {} })).toEqual([]);
});

it("tells what describing databases would ask for, before sampling", () => {
  const describe = {
    model: "writer",
    requests: 12,
    finishedSamples: 3,
    promptTokensAtLeast: 8_000,
    promptTokensAtMost: 16_000,
    completionTokensAtMost: 98_304,
    costUsdAtLeast: 0.1,
    costUsdAtMost: 1.02,
  };
  expect(renderForecasts({ sampling: {}, descriptions: { describe } })).toEqual([
    "describe asks about 12 parts of tables, all in all; 3 descriptions in the ledger are not asked again\n" +
      "  writer: 12 to 24 replies, 8k to 16k prompt tokens, up to 98k completion tokens, $0.10 to $1.02",
  ]);
});
