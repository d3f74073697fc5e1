import { expect, it } from "vitest";
import { preferencePairsStage } from "../../curation/preference-pairs.ts";
import { runStage } from "../fakes/run-stage.ts";
import { example, message, prompt, sample, split, trajectory } from "./sample-rows.ts";
import { querying, returned } from "./taught-rows.ts";

const start = [querying("SELECT a"), returned("1")];

function pairs(trajectories: ReturnType<typeof trajectory>[], verdicts: number[], perExample = 2) {
  const samples = verdicts.map((verdict, index) => sample("a", index, verdict));
  const inputs = {
    examples: [example("a")],
    kept: [split("a", 0)],
    prompts: [prompt("a")],
    samples,
    trajectories,
  };
  return runStage(preferencePairsStage, inputs, { metrics: ["bird-ex"], perExample });
}

it("right and wrong rollouts are cut where they part", async () => {
  const right = trajectory("a", 0, "right", { messages: [...start, message("assistant", "right")] });
  const wrong = trajectory("a", 1, "wrong", { messages: [...start, message("assistant", "wrong")] });
  const other = trajectory("a", 2, "other", { messages: [message("assistant", "other")] });
  const { pairs: rows } = await pairs([right, wrong, other], [1, 0, 0]);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.prompt.map(({ rawText }) => rawText)).toEqual(["Prompt a", "run SELECT a", "1"]);
  expect(rows[0]?.chosen.map(({ rawText }) => rawText)).toEqual(["right"]);
  expect(rows[0]?.rejected.map(({ rawText }) => rawText)).toEqual(["wrong"]);
  expect(rows[0]).toMatchObject({ reason: "wrong_at_later_turn", chosenId: right.id, rejectedId: wrong.id });
});

it("there is no pair without a right and a wrong one, nor across models", async () => {
  const one = trajectory("a", 0, "x");
  const two = trajectory("a", 1, "y", { model: { name: "teacher", revision: "1" } });
  expect((await pairs([one, two], [1, 0])).pairs).toEqual([]);
  expect((await pairs([one], [1])).pairs).toEqual([]);
});
