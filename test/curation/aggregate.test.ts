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

  it("scores what cannot be executed only where the metric did", async () => {
    const verdicts = { "bird-ex": unscored("gold_error", ""), "spider-em": scored(1) };
    const odd = { ...inputs, samples: [sample("c", 0, 0, { verdicts })] };
    const metrics = ["bird-ex", "spider-em"];
    const { table } = await runStage(aggregateStage, odd, { metrics, by: [] }, { plugs });
    expect(table).toMatchObject([
      { metric: "bird-ex", n: 0, mean: null, unexecutable: 1, missing: 3 },
      { metric: "spider-em", n: 1, mean: 1, unexecutable: 0, missing: 3 },
    ]);
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

  it("counts whole dialogues under interactions", async () => {
    const turns = [
      ["p0", { id: "p", turn: 0, turns: 2 }],
      ["p1", { id: "p", turn: 1, turns: 2 }],
      ["q0", { id: "q", turn: 0, turns: 1 }],
      ["r0", { id: "r", turn: 0, turns: 2 }],
      ["r1", { id: "r", turn: 1, turns: 2 }],
      ["s0", { id: "s", turn: 0, turns: 1 }],
      // The second turn of this one is not among the examples.
      ["t0", { id: "t", turn: 0, turns: 2 }],
    ] as const;
    const samples = [
      sample("p0", 0, 1),
      sample("p0", 1, 1),
      sample("p1", 0, 1),
      sample("p1", 1, 0),
      sample("q0", 0, 0),
      sample("q0", 1, 1),
      sample("r0", 0, 1),
      sample("r0", 1, unscored("prediction_crashed", "")),
      // No second sample of this turn.
      sample("r1", 0, 1),
      sample("s0", 0, unscored("gold_error", "")),
      sample("s0", 1, unscored("gold_error", "")),
      sample("t0", 0, 1),
      sample("t0", 1, 1),
    ];
    const rows = {
      examples: turns.map(([name, dialogue]) => example(name, { dialogue })),
      golds: turns.map(([name]) => goldRow(name, name === "s0" ? { reason: "gold_error" } : {})),
      samples,
    };
    const { table } = await runStage(aggregateStage, rows, { by: ["turn"] }, { plugs });
    const figures = table
      .filter((row) => row.group === "interactions")
      .map((row) => [row.system, row.n, row.mean, row.unscored, row.unexecutable, row.missing]);
    // Right, wrong, right; the gold that fails and the cut dialogue apart. Then wrong, right, and one missing.
    expect(figures).toEqual([
      ["student#0", 3, 2 / 3, 0, 2, 0],
      ["student#1", 2, 0.5, 0, 2, 1],
    ]);
    const groups = table.filter((row) => row.system === "student#0").map((row) => row.group);
    expect(groups).toEqual(["all", "interactions", "turn:1", "turn:2"]);
  });

  it("keeps a dialogue with an unscored turn apart", async () => {
    const rows = {
      examples: [0, 1].map((turn) => example(`p${turn}`, { dialogue: { id: "p", turn, turns: 2 } })),
      golds: [goldRow("p0"), goldRow("p1")],
      samples: [sample("p0", 0, unscored("prediction_crashed", "")), sample("p1", 0, 1)],
    };
    const { table } = await runStage(aggregateStage, rows, { by: ["turn"] }, { plugs });
    expect(table.filter((row) => row.group === "interactions")).toMatchObject([
      { n: 0, mean: null, unscored: 1, unexecutable: 0, missing: 0 },
    ]);
  });

  it("has no rows without samples", async () => {
    expect((await runStage(aggregateStage, { ...inputs, samples: [] }, {}, { plugs })).table).toEqual([]);
  });
});
