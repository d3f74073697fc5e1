import { describe, expect, it } from "vitest";
import type { Example } from "../../core/example.ts";
import type { GoldRow, ScoredSample } from "../../core/rows.ts";
import type { Trajectory } from "../../core/trajectory.ts";
import { aggregateStage } from "../../curation/aggregate.ts";
import { scoreStage } from "../../curation/score.ts";
import { type Artifact, ArtifactStore } from "../../io/artifact-store.ts";
import { officialTablesOf, type SystemTables } from "../../pipelines/official-tables.ts";
import { step } from "../../pipelines/pipeline.ts";
import { example, goldRow, sample, trajectory } from "../curation/sample-rows.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PIPELINE = [
  step({
    id: "score",
    stage: scoreStage,
    options: { metrics: ["spider-ex"] },
    inputs: { trajectories: { step: "import", port: "trajectories" } },
  }),
  step({
    id: "accuracy",
    stage: aggregateStage,
    inputs: {
      examples: { step: "load", port: "examples" },
      golds: { step: "score", port: "golds" },
      samples: { step: "score", port: "samples" },
    },
  }),
];
const PARTS = { version: 1, seed: 1, options: {}, plugs: [], inputs: {}, sources: [] };

interface RunRows {
  readonly examples: readonly Example[];
  readonly golds: readonly GoldRow[];
  readonly samples: readonly ScoredSample[];
  readonly trajectories?: readonly Trajectory[];
}

async function artifactOf(
  store: ArtifactStore,
  stage: string,
  ports: Readonly<Record<string, readonly unknown[]>>,
): Promise<Artifact> {
  const unfinished = await store.begin(stage, { ...PARTS, stage }, Object.keys(ports));
  for (const [port, rows] of Object.entries(ports)) {
    for (const row of rows) await unfinished.add(port, row, undefined);
  }
  return unfinished.seal();
}

async function tablesOf(
  { examples, golds, samples, trajectories = [] }: RunRows,
  hardness = false,
): Promise<SystemTables[]> {
  const store = new ArtifactStore(await temporaryFolder());
  const artifacts = new Map([
    ["load", await artifactOf(store, "load", { examples })],
    ["import", await artifactOf(store, "import", { trajectories })],
    ["score", await artifactOf(store, "score", { golds, samples })],
  ]);
  return officialTablesOf({
    pipeline: PIPELINE,
    result: { steps: [], artifacts },
    store,
    step: "accuracy",
    hardness,
  });
}

/** Name, count and mean of each column that has a line. */
function figures(system: SystemTables | undefined): unknown[] {
  return (system?.tables ?? []).map(({ by, columns }) => [
    by,
    columns
      .filter(({ count }) => count > 0)
      .map(({ name, count, metrics }) => [name, count, metrics["bird-ex"]?.mean]),
  ]);
}

const bird: RunRows = {
  examples: [example("a", { difficulty: "simple" }), example("b", { difficulty: "challenging" })],
  golds: [goldRow("a"), goldRow("b")],
  samples: [sample("a", 0, 1), sample("b", 0, 0), sample("b", 1, 1)],
};

describe("officialTablesOf", () => {
  it("has the tables of each system by the difficulty of its questions", async () => {
    const systems = await tablesOf(bird);
    expect(systems.map(({ system, sampleIndex }) => [system, sampleIndex])).toEqual([
      ["student#0", 0],
      ["student#1", 1],
    ]);
    expect(figures(systems[0])).toEqual([
      [
        "difficulty",
        [
          ["simple", 1, 1],
          ["challenging", 1, 0],
          ["total", 2, 0.5],
        ],
      ],
    ]);
    expect(figures(systems[1])).toEqual([
      [
        "difficulty",
        [
          ["challenging", 1, 1],
          ["total", 1, 1],
        ],
      ],
    ]);
  });

  it("has Spider's table beside BIRD's only where it is asked for", async () => {
    const systems = await tablesOf(bird, true);
    expect(systems[0]?.tables.map(({ by }) => by)).toEqual(["difficulty", "hardness"]);
  });

  it("has dialogues by hardness and turn", async () => {
    const dialogue = (id: string, turn: number) => ({ dialogue: { id, turn, turns: 2 } });
    const systems = await tablesOf({
      examples: [
        example("a", dialogue("0", 0)),
        example("b", dialogue("0", 1)),
        example("c", dialogue("1", 0)),
      ],
      golds: [goldRow("a"), goldRow("b", { labels: {} }), goldRow("c")],
      samples: [sample("a", 0, 1), sample("b", 0, 1), sample("c", 0, 0)],
    });
    expect(figures(systems[0])).toEqual([
      [
        "hardness",
        [
          ["easy", 2, 0.5],
          ["all", 3, 2 / 3],
          ["joint", 2, 0.5],
        ],
      ],
      [
        "turn",
        [
          ["turn 1", 2, 0.5],
          ["turn 2", 1, 1],
          ["all", 3, 2 / 3],
          ["joint", 2, 0.5],
        ],
      ],
    ]);
  });

  it("is empty for a run that has not come so far", async () => {
    const store = new ArtifactStore(await temporaryFolder());
    const result = { steps: [], artifacts: new Map() };
    const request = { pipeline: PIPELINE, result, store, hardness: false };
    expect(await officialTablesOf({ ...request, step: "accuracy" })).toEqual([]);
    expect(await officialTablesOf({ ...request, step: "another" })).toEqual([]);
  });
});

it("counts answers with the word value, which Spider's script would rewrite", async () => {
  const answers = ["SELECT value FROM t", "SELECT 1"];
  const [system] = await tablesOf({
    examples: ["a", "b"].map((name) => example(name)),
    golds: ["a", "b"].map((name) => goldRow(name)),
    samples: ["a", "b"].map((name) => sample(name, 0, 1)),
    trajectories: ["a", "b"].map((name, index) => trajectory(name, 0, answers[index] ?? null)),
  });
  expect(system?.tables.map(({ by, withValue }) => [by, withValue])).toEqual([["hardness", 1]]);
});
