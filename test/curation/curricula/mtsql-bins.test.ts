import { expect, it } from "vitest";
import { SeededRandom } from "../../../core/random.ts";
import mtsqlBins from "../../../curation/curricula/mtsql-bins.ts";

const items = [
  [20, 20],
  [20, 3],
  [20, 19],
  [20, 3],
  [0, 0],
  [20, 0],
].map(([n = 0, c = 0], position) => ({ exampleId: `e${position}`, position, hardness: null, n, c }));

it("leaves out what every sample gets right, and nothing else", () => {
  expect([...(mtsqlBins.leavesOut?.(items, { binSize: 2 }) ?? [])]).toEqual([["e0", "always_right"]]);
});

it("sorts by right samples and fills bins of a fixed size", () => {
  const places = mtsqlBins.order(items.slice(1), 7, new SeededRandom(1, "x"), { binSize: 2 });
  expect(places.map(({ exampleId, level, rank }) => [exampleId, level, rank])).toEqual([
    ["e2", 0, 0],
    ["e1", 0, 1],
    ["e3", 1, 2],
    ["e4", 1, 3],
    ["e5", 2, 4],
  ]);
  expect(mtsqlBins.options.parse({})).toEqual({ binSize: 2_000 });
});
