import { expect, it } from "vitest";
import { parseRunConfig, type RunConfig } from "../../pipelines/config.ts";
import { recipeDifferences } from "../../pipelines/recipe-differences.ts";

function recipe(parts: object, files = ["a.csv"]): RunConfig {
  return parseRunConfig(
    {
      gradus: 1,
      name: "x",
      datasets: [{ loader: "spider", root: "spider", split: "dev" }],
      answers: { import: [{ model: { name: "m" }, files }] },
      ...parts,
    },
    "x.yaml",
  );
}

it("tells what decides places, not whom was asked", () => {
  expect(recipeDifferences(recipe({}), recipe({ name: "y" }, ["b.csv"]))).toEqual([]);
  expect(recipeDifferences(recipe({}), recipe({ seed: 7, curriculum: { levels: 5 } }))).toEqual([
    'curriculum differs: {"id":"easy-to-hard","levels":3,"options":{}}, now {"id":"easy-to-hard","levels":5,"options":{}}',
    expect.stringMatching(/^seed differs: \d+, now 7$/),
  ]);
});
