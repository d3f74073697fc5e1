import { expect, it } from "vitest";
import { parseRunConfig } from "../../pipelines/config.ts";
import { rewardSteps } from "../../pipelines/reward-steps.ts";
import { shopConfig } from "../e2e/spider-fixture.ts";

const LINKS = {
  examples: { step: "load", port: "examples" },
  databases: { step: "profile", port: "databases" },
  trajectories: { step: "sample", port: "trajectories" },
};
const models = { student: { provider: "simulated", name: "simulated" } };
const rollouts = [{ model: "student", scaffold: "single-turn", samples: 2 }];

function stepsOf(changes: Readonly<Record<string, unknown>>) {
  const config = parseRunConfig(JSON.parse(shopConfig(changes)), "run.yaml");
  return rewardSteps(config, LINKS, { concurrency: 2, prefix: "" });
}

it("score rollouts, and those of linkers, where the config has rewards", () => {
  const rewards = [{ id: "outcome" }];
  expect(stepsOf({ models, answers: { rollouts } })).toEqual([]);
  const steps = stepsOf({ models, answers: { rollouts }, rewards });
  expect(steps.map(({ id, inputs }) => [id, inputs["trajectories"]])).toEqual([
    ["rewards", { step: "sample", port: "trajectories" }],
    ["linking-rewards", { step: "sample", port: "linkings" }],
  ]);
});

it("score imported answers alone, which have no linkers", () => {
  expect(stepsOf({ rewards: [{ id: "outcome" }] }).map(({ id }) => id)).toEqual(["rewards"]);
});
