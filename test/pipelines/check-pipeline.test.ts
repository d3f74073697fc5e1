import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineStage } from "../../core/stage.ts";
import { checkPipeline } from "../../pipelines/check-pipeline.ts";
import { type PipelineStep, step } from "../../pipelines/pipeline.ts";
import { longWordsStage, wordsStage } from "../fakes/pipeline-stages.ts";

const words = step({ id: "words", stage: wordsStage, options: { text: "a" }, inputs: {} });

function long(inputs: PipelineStep["inputs"], id = "long"): PipelineStep {
  return step({ id, stage: longWordsStage, inputs });
}

describe("checkPipeline", () => {
  it("takes steps that are fed from earlier ones by rows of the same schema", () => {
    const first = long({ words: { step: "words", port: "words" } });
    const second = long({ words: { step: "long", port: "kept" } }, "longer");
    expect(() => checkPipeline([words, first, second])).not.toThrow();
    expect(() => checkPipeline([])).not.toThrow();
  });

  const feed = { step: "words", port: "words" };
  const lookAlike = defineStage({
    name: "look-alike",
    version: 1,
    inputs: { words: z.strictObject({ word: z.string(), place: z.int().nonnegative() }) },
    outputs: {},
    options: z.strictObject({}),
    async *run() {},
  });
  it.each<[string, PipelineStep[], string]>([
    ["two steps of one name", [words, words], "two steps are called words"],
    ["a port that is not fed", [words, long({})], "step long is not fed at port words"],
    [
      "a port that the stage does not have",
      [words, long({ words: feed, more: feed })],
      "step long is fed at port more, which long-words does not have",
    ],
    [
      "a step that comes later",
      [long({ words: feed }), words],
      "step long takes words.words, which no earlier step gives",
    ],
    [
      "a step that feeds itself",
      [long({ words: { step: "long", port: "kept" } })],
      "step long takes long.kept, which no earlier step gives",
    ],
    [
      "an output that is not there",
      [words, long({ words: { step: "words", port: "word" } })],
      "step long takes words.word, which no earlier step gives",
    ],
    [
      "rows of another schema",
      [words, long({ words: { step: "words", port: "rejects" } })],
      "step long takes words.rejects at port words, whose rows have another schema",
    ],
    [
      "rows of a schema that only looks the same",
      [words, step({ id: "like", stage: lookAlike, inputs: { words: feed } })],
      "step like takes words.words at port words, whose rows have another schema",
    ],
  ])("refuses %s", (_, pipeline, message) => {
    expect(() => checkPipeline(pipeline)).toThrow(
      expect.objectContaining({ code: "PIPELINE_MALFORMED", message }) as Error,
    );
  });
});
