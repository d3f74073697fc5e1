import { expect, it } from "vitest";
import { rowGroups } from "../../embeddings/row-groups.ts";
import { rowsOf } from "../fakes/run-stage.ts";

it("rows that follow one another for one example are one list", async () => {
  const rows = ["a", "a", "b"].map((exampleId, index) => ({ exampleId, index }));
  const groups: number[][] = [];
  for await (const group of rowGroups(rowsOf(rows))) groups.push(group.map(({ index }) => index));
  expect(groups).toEqual([[0, 1], [2]]);
});
