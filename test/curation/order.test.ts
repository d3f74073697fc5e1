import { describe, expect, it } from "vitest";
import { type CurriculumPlace, defineCurriculum } from "../../core/curriculum.ts";
import type { SelectedTrajectory, SplitExample } from "../../core/rows.ts";
import easyToHard from "../../curation/curricula/easy-to-hard.ts";
import mtsqlBins from "../../curation/curricula/mtsql-bins.ts";
import { orderStage } from "../../curation/order.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { example, split } from "./sample-rows.ts";

const plugs = fakePlugs([easyToHard, mtsqlBins]);

function inputsOf(examples: readonly SplitExample[], selected: readonly SelectedTrajectory[] = []) {
  return { examples, loaded: examples.map(({ sourceId }) => example(sourceId)), selected };
}

describe("orderStage", () => {
  it("orders each split by itself, train first", async () => {
    const examples = [
      split("a", 0, { n: 4, c: 1 }),
      split("b", 1, { n: 4, c: 1, split: "validation" }),
      split("c", 2, { n: 4, c: 3 }),
      split("d", 3, { n: 4, c: 3, split: "validation" }),
      split("e", 4, { n: 4, c: 2 }),
    ];
    const ordered = (await runStage(orderStage, inputsOf(examples), { levels: 3 }, { plugs })).examples;
    expect(ordered.map(({ sourceId, split: side, rank, level }) => [sourceId, side, rank, level])).toEqual([
      ["c", "train", 0, 0],
      ["e", "train", 1, 1],
      ["a", "train", 2, 2],
      ["d", "validation", 0, 0],
      ["b", "validation", 1, 1],
    ]);
    expect(ordered[0]).toEqual({ ...split("c", 2, { n: 4, c: 3 }), rank: 0, level: 0 });
  });

  it("leaves out of train what the curriculum does, with it behind the others in `all`", async () => {
    const examples = [
      split("a", 0, { n: 4, c: 4 }),
      split("b", 1, { n: 4, c: 4, split: "validation" }),
      split("c", 2, { n: 4, c: 3 }),
      split("d", 3, { n: 4, c: 1 }),
    ];
    const options = { curriculum: "mtsql-bins", options: { binSize: 1 } };
    const out = await runStage(orderStage, inputsOf(examples), options, { plugs });
    const shown = (rows: readonly { sourceId: string; level: number; rank: number }[]) =>
      rows.map(({ sourceId, level, rank }) => `${sourceId} ${level} ${rank}`);
    expect(shown(out.examples)).toEqual(["c 0 0", "d 1 1", "b 0 0"]);
    expect(out.dropped.map(({ sourceId, reason }) => [sourceId, reason])).toEqual([["a", "always_right"]]);
    expect(shown(out.all)).toEqual(["c 0 0", "d 1 1", "a 2 2", "b 0 0"]);
  });

  it("works without examples", async () => {
    expect((await runStage(orderStage, inputsOf([]), {}, { plugs })).examples).toEqual([]);
  });

  it.each([
    ["leaves one out", (places: CurriculumPlace[]) => places.slice(1)],
    ["gives a rank twice", (places: CurriculumPlace[]) => places.map((place) => ({ ...place, rank: 0 }))],
    [
      "leaves a gap",
      (places: CurriculumPlace[]) => places.map((place) => ({ ...place, rank: place.rank + 1 })),
    ],
  ])("refuses a curriculum that %s", async (_what, spoil) => {
    const broken = defineCurriculum({
      id: "broken",
      version: 1,
      needsRates: false,
      order: (items) => spoil(items.map(({ exampleId }, rank) => ({ exampleId, level: 0, rank }))),
    });
    const examples = [split("a", 0), split("b", 1)];
    const run = runStage(
      orderStage,
      inputsOf(examples),
      { curriculum: "broken" },
      { plugs: fakePlugs([broken]) },
    );
    await expect(run).rejects.toMatchObject({ code: "ORDER_PLACES_BROKEN" });
  });

  it("names its curriculum as a plug", () => {
    expect(orderStage.plugs(orderStage.options.parse({}), fakePlugs([]))).toEqual([
      { kind: "curriculum", id: "easy-to-hard" },
    ]);
  });
});
