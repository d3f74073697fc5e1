import { expect, it } from "vitest";
import { SeededRandom } from "../../../core/random.ts";
import dynamic from "../../../curation/curricula/dynamic.ts";

const items = [
  [16, 16],
  [16, 15],
  [16, 8],
  [16, 0],
  [16, 4],
].map(([n = 0, c = 0], position) => ({ exampleId: `e${position}`, position, hardness: null, n, c }));

it("puts disagreeing groups first, nearest to half first, and the rest in reserve", () => {
  const places = dynamic.order(items, 3, new SeededRandom(1, "x"), {});
  expect(places.slice(0, 3).map(({ exampleId, level }) => [exampleId, level])).toEqual([
    ["e2", 0],
    ["e4", 0],
    ["e1", 0],
  ]);
  expect(places.slice(3).map(({ level }) => level)).toEqual([1, 1]);
  expect(places.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4]);
});

it("orders ties by the seed alone, whatever the order of the items", () => {
  const ties = Array.from({ length: 30 }, (_, position) => ({
    ...items[2],
    exampleId: `t${position}`,
    position,
  }));
  const order = (given: readonly unknown[], seed: number): string[] =>
    dynamic.order(given as never, 1, new SeededRandom(seed, "x"), {}).map(({ exampleId }) => exampleId);
  expect(order(ties, 1)).toEqual(order([...ties].reverse(), 1));
  expect(order(ties, 1)).not.toEqual(order(ties, 2));
});
