import { expect, it } from "vitest";
import { defineCurriculum } from "../../core/curriculum.ts";
import { SeededRandom } from "../../core/random.ts";

it("a curriculum is marked by its kind and orders what it is given", () => {
  const curriculum = defineCurriculum({
    id: "as-it-comes",
    version: 1,
    needsRates: false,
    order: (items) => items.map(({ exampleId }, rank) => ({ exampleId, level: 0, rank })),
  });
  expect(curriculum).toMatchObject({ kind: "curriculum", id: "as-it-comes", version: 1 });
  const item = { exampleId: "a", position: 5, hardness: null, n: 1, c: 1 };
  expect(curriculum.order([item], 3, new SeededRandom(1, "order"), {})).toEqual([
    { exampleId: "a", level: 0, rank: 0 },
  ]);
});
