import { expect, it } from "vitest";
import { clusterStage } from "../../embeddings/cluster.ts";
import { embedStage } from "../../embeddings/embed.ts";
import tfIdf from "../../embeddings/embedders/tf-idf.ts";
import { selectTaughtStage } from "../../embeddings/select.ts";
import { idOf, trajectory } from "../curation/sample-rows.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";

const SQL = [
  "SELECT a FROM t",
  "SELECT a FROM t ",
  "SELECT count(*) FROM u",
  "SELECT b FROM t",
  "SELECT max(c) FROM v",
];
const trajectories = SQL.map((sql, index) => trajectory("q", index, sql));
const candidates = trajectories.map(({ id }) => ({
  trajectoryId: id,
  exampleId: idOf("q"),
  split: "train" as const,
  class: "hard" as const,
  fallback: false,
  interactions: 2,
  limit: 3,
}));
const plugs = fakePlugs([tfIdf]);

it("candidates are embedded, clustered, and three of different actions are chosen", async () => {
  const { embedded } = await runStage(embedStage, { candidates, trajectories }, {}, { plugs });
  expect(embedded.map(({ actions }) => actions)[0]).toBe(embedded[1]?.actions);
  expect(embedded.every(({ vector }) => vector !== null)).toBe(true);
  const { clustered } = await runStage(clusterStage, { embedded }, {});
  expect(new Set(clustered.map(({ cluster }) => cluster)).size).toBe(3);
  const passedOver = [{ trajectoryId: "x", exampleId: "y", reason: "wrong" }];
  const { selected, passedOver: left } = await runStage(
    selectTaughtStage,
    { candidates, clustered, passedOver },
    {},
  );
  expect(selected).toHaveLength(3);
  expect(selected.every(({ reason }) => reason === "hard")).toBe(true);
  expect(left.map(({ reason }) => reason).sort()).toEqual(["duplicate_actions", "over_limit", "wrong"]);
});

it("few candidates need no vectors, and easy ones are drawn by the seed", async () => {
  const few = candidates.slice(1, 4).map((row) => ({ ...row, class: "easy" as const, limit: 2 }));
  const { embedded } = await runStage(embedStage, { candidates: few, trajectories }, {}, { plugs });
  expect(embedded.map(({ vector }) => vector)).toEqual([null, null, null]);
  const { clustered } = await runStage(clusterStage, { embedded }, {});
  const inputs = { candidates: few, clustered, passedOver: [] };
  const { selected } = await runStage(selectTaughtStage, inputs, {}, { seed: 3 });
  expect(selected).toHaveLength(2);
  expect((await runStage(selectTaughtStage, inputs, {}, { seed: 3 })).selected).toEqual(selected);
});

it("a candidate without its trajectory is an error", async () => {
  await expect(runStage(embedStage, { candidates, trajectories: [] }, {}, { plugs })).rejects.toMatchObject({
    code: "STAGE_ORDER_BROKEN",
  });
});
