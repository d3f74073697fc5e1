import { expect, it } from "vitest";
import { RunConfig } from "../../pipelines/config.ts";
import { errorSteps, figureSteps, goldSteps } from "../../pipelines/evaluation-steps.ts";

const judge = RunConfig.shape.judge.parse({});
const links = {
  examples: { step: "load", port: "examples" },
  databases: { step: "profile", port: "databases" },
};

it("makes figures with or without a linker's episodes", () => {
  const request = {
    judge,
    ...links,
    trajectories: { step: "sample", port: "trajectories" },
    score: "score",
    accuracy: "accuracy",
    systems: "systems",
    name: "greedy",
    attempts: [1],
  };
  const [accuracy, plain] = figureSteps({ ...request, linkings: null });
  expect(accuracy?.options).toMatchObject({
    by: expect.arrayContaining(["database", "feature"]) as string[],
  });
  expect(plain?.stage.name).toBe("evaluate-systems");
  const linked = figureSteps({ ...request, linkings: { step: "sample", port: "linkings" } })[1];
  expect(linked?.stage.name).toBe("evaluate-linked-systems");
  expect(linked?.inputs["linkings"]).toEqual({ step: "sample", port: "linkings" });
});

it("grades golds only where it is asked to", () => {
  const ids = (grade: boolean) =>
    goldSteps({ judge, ...links, concurrency: 4, prefix: "evaluation-", grade }).map(({ id }) => id);
  expect(ids(false)).toEqual(["evaluation-gold-check"]);
  expect(ids(true)).toEqual(["evaluation-gold-check", "evaluation-gold-grades"]);
});

it("asks a model about errors only where the config names one", () => {
  const asks = (errorJudge: unknown) => {
    const rollouts = [{ model: "student", scaffold: "single-turn", samples: 1 }];
    const datasets = [{ loader: "spider", root: "sample:spider", split: "test" }];
    const config = RunConfig.parse({
      gradus: 1,
      name: "small",
      datasets,
      models: {
        student: { provider: "simulated", name: "one" },
        judge: { provider: "simulated", name: "two" },
      },
      answers: { rollouts },
      evaluation: { datasets, rollouts, errorJudge },
    });
    const { examples } = links;
    const trajectories = { step: "sample", port: "trajectories" };
    return errorSteps({ config, id: "errors", score: "score", examples, trajectories });
  };
  expect(asks(null)).toEqual([]);
  expect(asks({ model: "judge" })).toMatchObject([
    { id: "errors", options: { role: "judge", model: { name: "two" }, metric: "bird-ex" } },
  ]);
});
