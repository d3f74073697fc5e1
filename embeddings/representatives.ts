import type { ClusteredTrajectory } from "../core/self-taught.ts";

/**
 * Chooses at most `limit` representatives: from each cluster in turn, the largest first, the member nearest its
 * centre, the shortest among equals, then by id. No two have the same actions; where all that is left would repeat
 * actions, fewer are chosen.
 */
export function representatives<T extends ClusteredTrajectory>(members: readonly T[], limit: number): T[] {
  const clusters = new Map<number, T[]>();
  for (const member of members)
    clusters.set(member.cluster, [...(clusters.get(member.cluster) ?? []), member]);
  const queues = [...clusters.values()]
    .sort((left, right) => right.length - left.length || (left[0]?.cluster ?? 0) - (right[0]?.cluster ?? 0))
    .map((queue) => queue.sort(nearestFirst));
  const chosen: T[] = [];
  const taken = new Set<string>();
  for (let moved = true; moved && chosen.length < limit; ) {
    moved = false;
    for (const queue of queues) {
      if (chosen.length >= limit) break;
      const place = queue.findIndex(({ actions }) => !taken.has(actions));
      const [next] = place < 0 ? [] : queue.splice(place, 1);
      if (next === undefined) continue;
      taken.add(next.actions);
      chosen.push(next);
      moved = true;
    }
  }
  return chosen;
}

function nearestFirst(left: ClusteredTrajectory, right: ClusteredTrajectory): number {
  return (
    left.distance - right.distance ||
    left.length - right.length ||
    (left.trajectoryId < right.trajectoryId ? -1 : 1)
  );
}
