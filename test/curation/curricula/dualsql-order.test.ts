import { expect, it } from "vitest";
import { SeededRandom } from "../../../core/random.ts";
import dualsqlOrder from "../../../curation/curricula/dualsql-order.ts";

const items = Array.from({ length: 30 }, (_, position) => ({
  exampleId: `e${position}`,
  position,
  hardness: null,
  n: 16,
  c: position % 17,
}));

it("is one level, shuffled by the seed, whatever the order of the items and their rates", () => {
  const order = (given: typeof items, seed: number): string[] => {
    const places = dualsqlOrder.order(given, 5, new SeededRandom(seed, "x"), {});
    expect(new Set(places.map(({ level }) => level))).toEqual(new Set([0]));
    return places.map(({ exampleId }) => exampleId);
  };
  expect(order(items, 1)).toEqual(order([...items].reverse(), 1));
  expect(order(items, 1)).not.toEqual(order(items, 2));
  expect(order(items, 1)).not.toEqual(items.map(({ exampleId }) => exampleId));
});
