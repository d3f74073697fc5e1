import { expect, it } from "vitest";
import { clusterStage } from "../../embeddings/cluster.ts";
import { runStage } from "../fakes/run-stage.ts";

it("each question is clustered by itself, its rows without vectors together", async () => {
  const row = (trajectoryId: string, exampleId: string, values: number[] | null) => ({
    trajectoryId,
    exampleId,
    actions: trajectoryId,
    length: 1,
    vector: values === null ? null : { dimensions: 2, indices: null, values },
  });
  const embedded = [
    row("a", "p", [0, 1]),
    row("b", "p", [5, 5]),
    row("c", "p", [0, 1]),
    row("d", "q", null),
    row("e", "q", null),
  ];
  const { clustered } = await runStage(clusterStage, { embedded }, { clusters: 2 });
  expect(clustered.map(({ trajectoryId, cluster }) => `${trajectoryId}${cluster}`)).toEqual([
    "a0",
    "b1",
    "c0",
    "d0",
    "e0",
  ]);
});
