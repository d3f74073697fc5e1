import { describe, expect, it } from "vitest";
import { evaluationPlans, type PlannedRollout, plainRollout } from "../../pipelines/evaluation-config.ts";

function rollout(parts: Partial<PlannedRollout> = {}): PlannedRollout {
  return {
    model: "student",
    scaffold: "sql-trail",
    options: { maxTurns: 10 },
    samples: 1,
    maxCompletionTokens: null,
    stopEarly: null,
    name: null,
    variants: [],
    tokenBudgets: [],
    ...parts,
  };
}

describe("evaluationPlans", () => {
  it("has a rollout, then its variants and budgets, options of a variant over its own", () => {
    const plans = evaluationPlans([
      rollout({
        name: "Agent (greedy)",
        variants: [{ name: "short", options: { maxTurns: 3 } }],
        tokenBudgets: [2000],
      }),
    ]);
    expect(plans.map(({ name, slug }) => [name, slug])).toEqual([
      ["Agent (greedy)", "agent-greedy"],
      ["Agent (greedy), short", "agent-greedy-short"],
      ["Agent (greedy), 2000 tokens", "agent-greedy-2000-tokens"],
    ]);
    expect(plans.map((plan) => plan.rollout.options["maxTurns"])).toEqual([10, 3, 10]);
    expect(plans.map((plan) => plan.rollout.maxCompletionTokens)).toEqual([null, null, 2000]);
    expect(plans[0]?.rollout).not.toHaveProperty("variants");
  });

  it("names a rollout by its scaffold, and by its model where two have one", () => {
    const named = (...rollouts: readonly PlannedRollout[]) =>
      evaluationPlans(rollouts).map(({ name }) => name);
    expect(named(rollout(), rollout({ scaffold: "single-turn" }))).toEqual(["sql-trail", "single-turn"]);
    expect(named(rollout(), rollout({ model: "teacher" }))).toEqual([
      "sql-trail, student",
      "sql-trail, teacher",
    ]);
  });

  it("refuses two of one name, and rollouts that stop early", () => {
    const refused = (...rollouts: readonly PlannedRollout[]) => expect(() => evaluationPlans(rollouts));
    refused(rollout(), rollout()).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    refused(rollout({ stopEarly: "mixed" })).toThrow(/stopEarly leaves questions/);
  });
});

it("leaves of a rollout what is sampled", () => {
  expect(Object.keys(plainRollout(rollout()))).toEqual([
    "model",
    "scaffold",
    "options",
    "samples",
    "maxCompletionTokens",
    "stopEarly",
  ]);
});
