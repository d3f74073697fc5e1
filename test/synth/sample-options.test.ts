import { expect, it } from "vitest";
import { ProfileOptions } from "../../core/database-profiler.ts";
import { RolloutOptions, SampleOptions } from "../../synth/sample-options.ts";

const LIMITS = { cpuMs: 1000, maxRows: 10, maxBytes: 1000 };
const ROLLOUT = {
  role: "student",
  model: { name: "m", revision: "1" },
  simulated: false,
  scaffold: "single-turn",
  options: {},
  samples: 2,
  sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 10, extra: { min_p: 0.1 } },
  maxCompletionTokens: null,
  stopEarly: null,
  lookahead: 4,
};
const OPTIONS = {
  rollouts: [ROLLOUT],
  dialect: "omnisql-ddl",
  round: 0,
  judge: { metric: "bird-ex", goldLimits: LIMITS, predictionLimits: LIMITS },
  part: null,
};

it("takes rollouts as they are", () => {
  const profile = ProfileOptions.parse({});
  expect(SampleOptions.parse(OPTIONS)).toEqual({ ...OPTIONS, profile, retrievesValues: false });
  expect(RolloutOptions.parse({ ...ROLLOUT, stopEarly: "mixed" }).stopEarly).toBe("mixed");
});

it.each([
  ["no rollout", { rollouts: [] }],
  ["no samples", { rollouts: [{ ...ROLLOUT, samples: 0 }] }],
  ["an unknown rule", { rollouts: [{ ...ROLLOUT, stopEarly: "complete" }] }],
  ["no lookahead", { rollouts: [{ ...ROLLOUT, lookahead: 0 }] }],
  ["an unknown key", { concurrency: 4 }],
  ["a part that counts from 0", { part: { index: 0, count: 2 } }],
])("refuses %s", (_name, changes) => {
  expect(SampleOptions.safeParse({ ...OPTIONS, ...changes }).success).toBe(false);
});
