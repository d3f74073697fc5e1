import { expect, it } from "vitest";
import { densePoints } from "../../embeddings/dense-points.ts";

it("sparse vectors become dense over what any of them uses", () => {
  const vectors = [
    { dimensions: 1_000, indices: [5], values: [1] },
    { dimensions: 1_000, indices: [2, 900], values: [3, 4] },
  ];
  expect(densePoints(vectors)).toEqual([
    [0, 1, 0],
    [3, 0, 4],
  ]);
  expect(densePoints([{ dimensions: 2, indices: null, values: [1, 2] }])).toEqual([[1, 2]]);
  expect(() => densePoints([{ dimensions: 2, indices: null, values: [1] }])).toThrow(
    "expected finite values",
  );
});
