import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkPipeline } from "../../pipelines/check-pipeline.ts";
import { evaluationPlans } from "../../pipelines/evaluation-config.ts";
import {
  evaluationRunPipeline,
  readEvaluationConfig,
  runEvaluation,
} from "../../pipelines/evaluation-run.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const EVALUATION = {
  datasets: [{ loader: "spider", root: "sample:spider", split: "test", limit: 6 }],
  rollouts: [{ model: "student", scaffold: "single-turn", samples: 3, sampling: { temperature: 1.2 } }],
};
const MODELS = {
  student: { provider: "simulated", name: "simulated-student", revision: "1", competence: 0.6 },
};

async function configFile(value: object): Promise<string> {
  const file = path.join(await temporaryFolder(), "evaluation.yaml");
  writeFileSync(file, JSON.stringify({ gradus: 1, name: "small", models: MODELS, ...value }));
  return file;
}

describe("readEvaluationConfig", () => {
  it("lets a config that only evaluates leave out datasets and answers", async () => {
    const config = await readEvaluationConfig(await configFile({ evaluation: EVALUATION }));
    expect(config).toMatchObject({ trains: false, datasets: [{ split: "test" }] });
    expect(config.evaluation.checkGolds).toBe(true);
  });

  it("reads the evaluation of a config that also trains", async () => {
    const more = { datasets: EVALUATION.datasets, answers: { rollouts: EVALUATION.rollouts } };
    const config = await readEvaluationConfig(await configFile({ evaluation: EVALUATION, ...more }));
    expect(config.trains).toBe(true);
  });

  it("refuses a config without an evaluation", async () => {
    const more = { datasets: EVALUATION.datasets, answers: { rollouts: EVALUATION.rollouts } };
    await expect(readEvaluationConfig(await configFile(more))).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: expect.stringContaining("docs/evaluation.md") as string,
    });
  });
});

it("refuses an error judge that models does not have", async () => {
  const evaluation = { ...EVALUATION, errorJudge: { model: "jugde" } };
  await expect(readEvaluationConfig(await configFile({ evaluation }))).rejects.toThrow(
    'got the role "jugde"',
  );
});

it("samples and judges each plan, on golds that are checked once", async () => {
  const variants = [{ name: "with gold", options: { history: "gold" } }];
  const rollouts = [{ ...EVALUATION.rollouts[0], variants }];
  const config = await readEvaluationConfig(await configFile({ evaluation: { ...EVALUATION, rollouts } }));
  const plans = evaluationPlans(config.evaluation.rollouts);
  const pipeline = evaluationRunPipeline({
    config,
    plans,
    roots: ["/data"],
    concurrency: 4,
    chained: new Set(),
  });
  checkPipeline(pipeline);
  expect(pipeline.map(({ id }) => id)).toEqual(
    [
      "load profile golds",
      "sample-single-turn score-single-turn accuracy-single-turn systems-single-turn",
      "sample-single-turn-with-gold score-single-turn-with-gold",
      "accuracy-single-turn-with-gold systems-single-turn-with-gold",
      "gold-check",
    ]
      .flatMap((line) => line.split(" "))
      .map((id) => `evaluation-${id}`),
  );
});

it("runs a model to a document, and the same again without asking", async () => {
  const file = await configFile({ evaluation: { ...EVALUATION, errorJudge: { model: "student" } } });
  const config = await readEvaluationConfig(file);
  const folder = path.dirname(file);
  const options = {
    roots: { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") },
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  };
  const { document, steps } = await runEvaluation(config, options);
  expect(document.systems).toMatchObject([{ name: "single-turn", runs: 3, samples: 18, simulated: true }]);
  expect(document.overlap).toBeNull();
  // The simulated model has no reply of this form.
  const asked = document.systems[0]?.judgedErrors?.asked ?? 0;
  expect(asked).toBeGreaterThan(0);
  expect(document.systems[0]?.judgedErrors).toEqual({ asked, unread: asked, main: {}, all: {} });
  const [system] = document.systems;
  expect(system?.votes.map(({ method, k }) => `${method} ${k}`)).toEqual([
    "majority 1",
    "majority 2",
    "majority 3",
    "consensus 1",
    "consensus 2",
    "consensus 3",
  ]);
  const first = system?.accuracy.find(({ group }) => group === "all")?.runs[0];
  expect(system?.votes[0]?.mean).toBe(first);
  expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(["ran"]));
  const again = await runEvaluation(config, options);
  expect(new Set(again.steps.map(({ status }) => status))).toEqual(new Set(["reused"]));
  expect(again.document).toEqual(document);
});
