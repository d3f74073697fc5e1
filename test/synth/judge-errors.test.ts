import { expect, it } from "vitest";
import { GradusError } from "../../core/errors.ts";
import { judgeErrorsStage } from "../../synth/judge-errors.ts";
import { example, idOf, sample, trajectory } from "../curation/sample-rows.ts";
import { ScriptedModel } from "../fakes/model.ts";
import { runStage } from "../fakes/run-stage.ts";
import { newLedger } from "./episode-services.ts";

const OPTIONS = {
  role: "judge",
  model: { name: "judge", revision: "1" },
  simulated: false,
  sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 100, extra: {} },
  metric: "bird-ex",
  classes: { join_path: "joins", no_answer: "none" },
};
const beta = { model: { name: "beta", revision: "" } };

const inputs = {
  examples: [example("a"), example("b"), example("c"), example("d", { gold: [] })],
  samples: [
    sample("a", 0, 1),
    sample("a", 1, 0),
    sample("a", 2, 0),
    sample("a", 3, 0, beta),
    sample("c", 0, 0.5, { execution: null }),
    sample("d", 0, 0),
  ],
  trajectories: [
    trajectory("a", 0, "SELECT 1"),
    trajectory("a", 1, "SELECT 2"),
    trajectory("a", 2, "SELECT 3"),
    trajectory("a", 3, "SELECT 2", beta),
    trajectory("c", 0, null),
    trajectory("d", 0, "SELECT 1"),
  ],
};

async function judged(model: ScriptedModel) {
  const ledger = await newLedger();
  const models = { open: () => Promise.resolve(model) };
  return runStage(judgeErrorsStage, inputs, OPTIONS, {
    models,
    ledger: () => Promise.resolve(ledger),
    runtime: { concurrency: 1 },
  });
}

it("asks of each question about the first wrong sample of every system, of equal queries once", async () => {
  const model = new ScriptedModel(['{"errors": ["join_path"]}', "I cannot say"]);
  const { judged: rows } = await judged(model);
  expect(rows).toEqual([
    { exampleId: idOf("a"), trajectoryId: idOf("a.1."), classes: ["join_path"] },
    { exampleId: idOf("a"), trajectoryId: idOf("a.3."), classes: ["join_path"] },
    { exampleId: idOf("c"), trajectoryId: idOf("c.0."), classes: [] },
  ]);
  expect(model.requests).toHaveLength(2);
});

it("says what is left open when the model is unavailable", async () => {
  const gone = new GradusError("MODEL_UNAVAILABLE", "no answer");
  const model = new ScriptedModel([gone, '{"errors": ["no_answer"]}']);
  await expect(judged(model)).rejects.toMatchObject({ code: "JUDGEMENTS_OPEN" });
  expect(model.requests).toHaveLength(2);
});
