import { kmeans } from "ml-kmeans";

/** Where a point is: its cluster, and its squared distance from the centre. */
export interface ClusterPlace {
  readonly cluster: number;
  readonly distance: number;
}

/**
 * Clusters the few points of one question by k-means with k-means++ and a seed. `k` over the number of different
 * points gives each of them its own cluster; identical points are together; no cluster is empty, and they are
 * numbered by their first point. Made for tens of points: thousands need `clusterMany`.
 */
export function clusterFew(points: readonly (readonly number[])[], k: number, seed: number): ClusterPlace[] {
  const names = points.map((point) => point.join(" "));
  const different = [...new Set(names)];
  if (different.length <= k) {
    const clusters = new Map(different.map((name, cluster) => [name, cluster]));
    return names.map((name) => ({ cluster: clusters.get(name) ?? 0, distance: 0 }));
  }
  const data = points.map((point) => [...point]);
  const { clusters, centroids } = kmeans(data, k, { seed, initialization: "kmeans++", maxIterations: 100 });
  const numbers = new Map<number, number>();
  return data.map((point, index) => {
    const found = clusters[index] ?? 0;
    let cluster = numbers.get(found);
    if (cluster === undefined) {
      cluster = numbers.size;
      numbers.set(found, cluster);
    }
    return { cluster, distance: round(squaredDistance(point, centroids[found] ?? [])) };
  });
}

function squaredDistance(point: readonly number[], centre: readonly number[]): number {
  let sum = 0;
  for (const [place, value] of point.entries()) sum += (value - (centre[place] ?? 0)) ** 2;
  return sum;
}

/** Equal up to what the order of additions can change. */
function round(distance: number): number {
  return Math.round(distance * 1e9) / 1e9;
}
