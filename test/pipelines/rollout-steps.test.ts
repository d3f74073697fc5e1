import { expect, it } from "vitest";
import { parseRunConfig, type RunConfig } from "../../pipelines/config.ts";
import { rolloutSteps } from "../../pipelines/rollout-steps.ts";
import { shopConfig } from "../e2e/spider-fixture.ts";

const MODELS = {
  student: { provider: "simulated", name: "small", revision: "r1" },
  teacher: { provider: "openai", name: "large", client: { baseUrl: "http://127.0.0.1:1/v1" } },
};

function configOf(rollouts: readonly unknown[]): RunConfig {
  const answers = { rollouts, concurrency: 9, round: 2 };
  const judge = { goldCpuMs: 11, predictionCpuMs: 7, maxRows: 5, maxBytes: 3 };
  return parseRunConfig(JSON.parse(shopConfig({ models: MODELS, answers, judge })), "run.yaml");
}

function stepsOf(
  rollouts: readonly unknown[],
  prefix = "",
  part: { index: number; count: number } | null = null,
) {
  const config = configOf(rollouts);
  return rolloutSteps({
    config,
    rollouts: config.answers.rollouts,
    examples: { step: "load", port: "examples" },
    databases: { step: "profile", port: "databases" },
    concurrency: 16,
    prefix,
    part,
  });
}

const STUDENT = { model: "student", scaffold: "single-turn", samples: 2 };

it("checks golds first and samples with what they say", () => {
  const [golds, sample] = stepsOf([STUDENT], "evaluation-");
  expect([golds?.id, sample?.id]).toEqual(["evaluation-golds", "evaluation-sample"]);
  expect(golds?.inputs).toEqual({
    examples: { step: "load", port: "examples" },
    databases: { step: "profile", port: "databases" },
  });
  expect(sample?.inputs["golds"]).toEqual({ step: "evaluation-golds", port: "golds" });
  expect([golds?.runtime, sample?.runtime]).toEqual([{ concurrency: 16 }, { concurrency: 9 }]);
});

it("says who a role is, and leaves out where it is asked", () => {
  const teacher = { model: "teacher", scaffold: "sql-trail", samples: 1, stopEarly: "mixed", lookahead: 3 };
  const [, sample] = stepsOf([STUDENT, teacher]);
  const options = sample?.stage.options.parse(sample.options) as { rollouts: unknown[] };
  expect(options.rollouts).toMatchObject([
    {
      role: "student",
      model: { name: "small", revision: "r1" },
      simulated: true,
      samples: 2,
      stopEarly: null,
    },
    {
      role: "teacher",
      model: { name: "large", revision: "" },
      simulated: false,
      stopEarly: "mixed",
      lookahead: 3,
    },
  ]);
  expect(JSON.stringify(sample?.options)).not.toContain("127.0.0.1");
});

it("judges with the run's metric and limits, in the run's round, and takes the worker's part", () => {
  const part = { index: 2, count: 4 };
  const [, sample] = stepsOf([STUDENT], "", part);
  expect(sample?.options).toMatchObject({
    round: 2,
    part,
    dialect: "omnisql-ddl",
    judge: {
      metric: "bird-ex",
      goldLimits: { cpuMs: 11, maxRows: 5, maxBytes: 3 },
      predictionLimits: { cpuMs: 7, maxRows: 5, maxBytes: 3 },
    },
  });
});
