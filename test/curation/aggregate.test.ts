import { describe, expect, it } from "vitest";
import { defineLabel } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { aggregateStage } from "../../curation/aggregate.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { example, goldRow, sample } from "./sample-rows.ts";

const label = defineLabel({
  id: "spider-hardness",
  version: 1,
  levels: ["easy", "medium", "hard", "extra"],
  label: () => ({ status: "scored", label: "easy" }),
});
const plugs = fakePlugs([label]);
const hardness = (name: string) => ({ "spider-hardness": { status: "scored" as const, label: name } });
const beta = { model: { name: "beta", revision: "" } };

const inputs = {
  examples: [
    example("a", { difficulty: "moderate", dialogue: { id: "1", turn: 0, turns: 6 } }),
    example("b", { difficulty: "simple", dialogue: { id: "1", turn: 4, turns: 6 } }),
    example("c", { difficulty: "simple", dialogue: { id: "1", turn: 5, turns: 6 } }),
    example("d"),
  ],
  golds: [
    goldRow("a", { labels: hardness("medium") }),
    goldRow("b", { labels: hardness("easy") }),
    goldRow("c", { reason: "gold_error", labels: hardness("easy") }),
    goldRow("d", { labels: { "spider-hardness": unscored("spider_parse_refused", "") } }),
  ],
  samples: [
    sample("a", 0, 1),
    sample("a", 1, 0),
    sample("a", 0, 1, beta),
    sample("b", 0, 0),
    sample("b", 1, unscored("crashed", "")),
    sample("c", 0, unscored("gold_error", "")),
    sample("c", 1, unscored("gold_error", "")),
    sample("d", 0, 1),
  ],
};

describe("aggregateStage", () => {
  it("counts every sample of a system once in each of its groups", async () => {
    const { table } = await runStage(aggregateStage, inputs, {}, { plugs });
    const figures = table.map((row) =>
      [row.system, row.group, row.n, row.mean, row.unscored, row.unexecutable, row.missing].join(" "),
    );
    expect(figures).toEqual([
      "beta#0 all 1 1 0 0 3",
      "beta#0 dataset:sample 1 dev 1 1 0 0 3",
      "beta#0 difficulty:simple 0  0 0 2",
      "beta#0 difficulty:moderate 1 1 0 0 0",
      "beta#0 hardness:easy 0  0 0 2",
      "beta#0 hardness:medium 1 1 0 0 0",
      "beta#0 hardness:unknown 0  0 0 1",
      "beta#0 turn:1 1 1 0 0 0",
      "beta#0 turn:>4 0  0 0 2",
      "student#0 all 3 0.6666666666666666 0 1 0",
      "student#0 dataset:sample 1 dev 3 0.6666666666666666 0 1 0",
      "student#0 difficulty:simple 1 0 0 1 0",
      "student#0 difficulty:moderate 1 1 0 0 0",
      "student#0 hardness:easy 1 0 0 1 0",
      "student#0 hardness:medium 1 1 0 0 0",
      "student#0 hardness:unknown 1 1 0 0 0",
      "student#0 turn:1 1 1 0 0 0",
      "student#0 turn:>4 1 0 0 1 0",
      "student#1 all 1 0 1 1 1",
      "student#1 dataset:sample 1 dev 1 0 1 1 1",
      "student#1 difficulty:simple 0  1 1 0",
      "student#1 difficulty:moderate 1 0 0 0 0",
      "student#1 hardness:easy 0  1 1 0",
      "student#1 hardness:medium 1 0 0 0 0",
      "student#1 hardness:unknown 0  0 0 1",
      "student#1 turn:1 1 0 0 0 0",
      "student#1 turn:>4 0  1 1 0",
    ]);
  });

  it("never scores a question that cannot be judged, whatever its samples say", async () => {
    const odd = { ...inputs, samples: [sample("c", 0, scored(1))] };
    const { table } = await runStage(aggregateStage, odd, { by: [] }, { plugs });
    expect(table).toMatchObject([{ group: "all", n: 0, mean: null, unexecutable: 1, missing: 3 }]);
  });

  it("has a row for each metric in the order asked for", async () => {
    const verdicts = { "bird-ex": scored(0), "bird-soft-f1": scored(0.5) };
    const one = { ...inputs, samples: [sample("a", 0, 0, { verdicts })] };
    const metrics = ["bird-soft-f1", "bird-ex"];
    const { table } = await runStage(aggregateStage, one, { metrics, by: [] }, { plugs });
    expect(table.map(({ metric, mean }) => [metric, mean])).toEqual([
      ["bird-soft-f1", 0.5],
      ["bird-ex", 0],
    ]);
  });

  it("keeps settings, rounds and checkpoints apart", async () => {
    const samples = [
      sample("a", 0, 1),
      sample("a", 0, 0, { round: 1 }),
      sample("a", 0, 0, { setting: "agent" }),
      sample("a", 0, 0, { model: { name: "student", revision: "2" } }),
    ];
    const { table } = await runStage(aggregateStage, { ...inputs, samples }, { by: [] }, { plugs });
    expect(
      table.map(({ system, setting, round, model, n }) => [system, setting, round, model.revision, n]),
    ).toEqual([
      ["student#0", "agent", 0, "1", 1],
      ["student#0", "single-turn", 0, "1", 1],
      ["student#0", "single-turn", 1, "1", 1],
      ["student#0", "single-turn", 0, "2", 1],
    ]);
  });

  it("has no rows without samples", async () => {
    expect((await runStage(aggregateStage, { ...inputs, samples: [] }, {}, { plugs })).table).toEqual([]);
  });
});
