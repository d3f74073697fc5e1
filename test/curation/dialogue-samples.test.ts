import { describe, expect, it } from "vitest";
import type { Example } from "../../core/example.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { DialogueCollector, systemKeyOf } from "../../curation/dialogue-samples.ts";
import { example, sample } from "./sample-rows.ts";

function turnOf(id: string, turn: number, turns: number, parts: Partial<Example> = {}): Example {
  return example(`${id}${turn}`, { dialogue: { id, turn, turns }, ...parts });
}

const collector = (): DialogueCollector => new DialogueCollector(["bird-ex"]);

describe("systemKeyOf", () => {
  it("tells apart checkpoints, settings, rounds and sample indexes, not examples", () => {
    const keys = [
      sample("a", 0, 1),
      sample("b", 0, 0),
      sample("a", 1, 1),
      sample("a", 0, 1, { round: 1 }),
      sample("a", 0, 1, { setting: "agent" }),
      sample("a", 0, 1, { model: { name: "student", revision: "2" } }),
    ].map(systemKeyOf);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(5);
  });
});

describe("DialogueCollector", () => {
  it("gives a dialogue with its last turn", () => {
    const dialogues = collector();
    expect(dialogues.add(turnOf("x", 0, 2), [sample("x0", 0, 1), sample("x0", 1, 1)], true)).toBeUndefined();
    const whole = dialogues.add(turnOf("x", 1, 2), [sample("x1", 0, 0), sample("x1", 1, 1)], true);
    expect(whole?.isExecutable).toBe(true);
    expect(whole?.samples.map((one) => [one.sampleIndex, one.verdicts["bird-ex"]])).toEqual([
      [0, scored(0)],
      [1, scored(1)],
    ]);
    expect(dialogues.incomplete()).toEqual([]);
  });

  it("takes dialogues that overlap, and tells apart equal ids of other splits", () => {
    const dialogues = collector();
    const train = { dataset: { name: "sample", release: "1", split: "train" } };
    expect(dialogues.add(turnOf("x", 0, 2), [sample("x0", 0, 1)], true)).toBeUndefined();
    expect(dialogues.add(turnOf("x", 0, 2, train), [sample("t0", 0, 0)], true)).toBeUndefined();
    const first = dialogues.add(turnOf("x", 1, 2), [sample("x1", 0, 1)], true);
    expect(first?.samples[0]?.verdicts).toEqual({ "bird-ex": scored(1) });
    const second = dialogues.add(turnOf("x", 1, 2, train), [sample("t1", 0, 1)], true);
    expect(second?.samples[0]?.verdicts).toEqual({ "bird-ex": scored(0) });
  });

  it("leaves out systems without a sample of some turn", () => {
    const dialogues = collector();
    dialogues.add(turnOf("x", 0, 2), [sample("x0", 0, 1), sample("x0", 1, 1)], true);
    const whole = dialogues.add(turnOf("x", 1, 2), [sample("x1", 1, 1)], true);
    expect(whole?.samples.map((one) => one.sampleIndex)).toEqual([1]);
  });

  it("is unscored where a turn is, and cannot be judged where a turn cannot", () => {
    const dialogues = collector();
    const crashed = unscored("prediction_crashed", "");
    dialogues.add(turnOf("x", 0, 2), [sample("x0", 0, crashed)], false);
    expect(dialogues.add(turnOf("x", 1, 2), [sample("x1", 0, 1)], true)).toMatchObject({
      isExecutable: false,
      samples: [{ verdicts: { "bird-ex": crashed } }],
    });
  });

  it("passes over examples of no dialogue", () => {
    const dialogues = collector();
    expect(dialogues.add(example("a"), [sample("a", 0, 1)], true)).toBeUndefined();
    expect(dialogues.incomplete()).toEqual([]);
  });

  it("keeps dialogues of which turns are missing for the end", () => {
    const dialogues = collector();
    dialogues.add(turnOf("x", 0, 3), [sample("x0", 0, 1)], true);
    dialogues.add(turnOf("x", 2, 3), [sample("x2", 0, 1)], true);
    expect(dialogues.incomplete()).toMatchObject([
      {
        isExecutable: false,
        samples: [{ sampleIndex: 0, verdicts: { "bird-ex": { reason: "dialogue_incomplete" } } }],
      },
    ]);
  });

  it("refuses a metric that was not scored", () => {
    const dialogues = new DialogueCollector(["spider-em"]);
    const add = (): unknown => dialogues.add(turnOf("x", 0, 1), [sample("x0", 0, 1)], true);
    expect(add).toThrow(expect.objectContaining({ code: "METRIC_NOT_SCORED" }));
  });
});
