import { describe, expect, it } from "vitest";
import { clusterMany } from "../../embeddings/many-clusters.ts";

function table(rows: readonly (readonly number[])[]) {
  const values = Float32Array.from(rows.flat());
  return { count: rows.length, dimensions: rows[0]?.length ?? 0, values };
}

describe("clusterMany", () => {
  it("parts what lies apart, the same for the same seed", () => {
    const rows = Array.from({ length: 300 }, (_, index) => [(index % 3) * 10 + (index % 7) / 10, index % 2]);
    const found = clusterMany(table(rows), { k: 3, seed: 1 });
    const groups = [0, 1, 2].map(
      (group) => new Set([...found.clusters].filter((_, index) => index % 3 === group)),
    );
    expect(groups.map((group) => group.size)).toEqual([1, 1, 1]);
    expect(new Set(found.clusters).size).toBe(3);
    expect(clusterMany(table(rows), { k: 3, seed: 1 })).toEqual(found);
  });

  it("takes k over the number of different points, and no points", () => {
    const found = clusterMany(table([[1], [1], [2]]), { k: 5, seed: 1 });
    expect(found.k).toBe(2);
    expect(found.clusters[0]).toBe(found.clusters[1]);
    expect([...found.distances]).toEqual([0, 0, 0]);
    expect(clusterMany(table([]), { k: 2, seed: 1 }).k).toBe(0);
  });
});
