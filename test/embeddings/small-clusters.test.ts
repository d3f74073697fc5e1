import { describe, expect, it } from "vitest";
import { clusterFew } from "../../embeddings/small-clusters.ts";

describe("clusterFew", () => {
  it("finds groups, the same for the same seed", () => {
    const points = [
      [0, 0],
      [0, 1],
      [9, 9],
      [9, 8],
      [0, 0.5],
    ];
    const places = clusterFew(points, 2, 7);
    expect(places.map(({ cluster }) => cluster)).toEqual([0, 0, 1, 1, 0]);
    expect(clusterFew(points, 2, 7)).toEqual(places);
  });

  it("takes k over the number of points, identical points, and none", () => {
    expect(clusterFew([[1], [2]], 5, 1)).toEqual([
      { cluster: 0, distance: 0 },
      { cluster: 1, distance: 0 },
    ]);
    expect(clusterFew([[1], [1], [1]], 3, 1).map(({ cluster }) => cluster)).toEqual([0, 0, 0]);
    expect(clusterFew([[], []], 1, 1).map(({ cluster }) => cluster)).toEqual([0, 0]);
    expect(clusterFew([], 3, 1)).toEqual([]);
  });

  it("numbers clusters densely: none is empty", () => {
    const points = [[0], [0], [0], [0], [5], [5], [5], [7], [7]];
    const found = new Set(clusterFew(points, 2, 3).map(({ cluster }) => cluster));
    expect([...found]).toEqual([0, 1]);
  });
});
