import { SeededRandom } from "../core/random.ts";

/** Points as rows of one array. */
export interface PointTable {
  readonly count: number;
  readonly dimensions: number;
  /** `count` times `dimensions` values. */
  readonly values: Float32Array;
}

/** How {@link clusterMany} works. */
export interface ManyClustersOptions {
  readonly k: number;
  readonly seed: number;
  /** Passes over the points at most. */
  readonly maxIterations?: number;
  /** Points that the first centres are chosen among, at most; all are assigned. */
  readonly initialPoints?: number;
}

/** Points by cluster, and the squared distance of each from its centre. */
export interface ManyClusters {
  readonly clusters: Int32Array;
  readonly distances: Float32Array;
  readonly k: number;
}

const INITIAL_POINTS = 4_096;
const ITERATIONS = 12;

/**
 * K-means over a whole dataset: Lloyd's passes from k-means++ centres, in single precision and one array, a few
 * megabytes beside the points. A centre that loses all its points moves to the point furthest from its own; equal
 * points are together and `k` falls to the number of different points where there are fewer.
 */
export function clusterMany(points: PointTable, options: ManyClustersOptions): ManyClusters {
  const { maxIterations = ITERATIONS, initialPoints = INITIAL_POINTS } = options;
  const clusters = new Int32Array(points.count);
  const distances = new Float32Array(points.count);
  if (points.count === 0) return { clusters, distances, k: 0 };
  const random = new SeededRandom(options.seed, "many-clusters", points.count, options.k);
  const centres = firstCentres(points, { k: options.k, initialPoints, random });
  const k = centres.length / points.dimensions;
  clusters.fill(-1);
  for (let pass = 0; pass < maxIterations; pass += 1) {
    const moved = assign(points, centres, { clusters, distances });
    if (moved === 0) break;
    moveCentres(points, centres, { clusters, distances });
  }
  return { clusters, distances, k };
}

function firstCentres(
  points: PointTable,
  {
    k,
    initialPoints,
    random,
  }: { readonly k: number; readonly initialPoints: number; readonly random: SeededRandom },
): Float32Array {
  const { count, dimensions, values } = points;
  const sample = Array.from({ length: count }, (_, index) => index);
  const chosen = count <= initialPoints ? sample : random.shuffle(sample).slice(0, initialPoints);
  const nearest = new Float32Array(chosen.length).fill(Number.POSITIVE_INFINITY);
  const centres: number[] = [];
  let next = random.integer(chosen.length);
  for (let made = 0; made < k; made += 1) {
    const from = (chosen[next] ?? 0) * dimensions;
    const centre = values.subarray(from, from + dimensions);
    centres.push(...centre);
    let total = 0;
    for (let place = 0; place < chosen.length; place += 1) {
      const point = { values, start: (chosen[place] ?? 0) * dimensions };
      const distance = squared(point, { values: centre, start: 0 }, dimensions, Number.POSITIVE_INFINITY);
      if (distance < (nearest[place] ?? 0)) nearest[place] = distance;
      total += nearest[place] ?? 0;
    }
    if (total === 0) break;
    let rest = random.next() * total;
    next = chosen.length - 1;
    for (let place = 0; place < chosen.length; place += 1) {
      rest -= nearest[place] ?? 0;
      if (rest > 0 || (nearest[place] ?? 0) === 0) continue;
      next = place;
      break;
    }
  }
  return Float32Array.from(centres);
}

interface Assignment {
  readonly clusters: Int32Array;
  readonly distances: Float32Array;
}

/** Gives each point its nearest centre; how many changed. */
function assign({ count, dimensions, values }: PointTable, centres: Float32Array, to: Assignment): number {
  const k = centres.length / dimensions;
  let moved = 0;
  for (let point = 0; point < count; point += 1) {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let centre = 0; centre < k; centre += 1) {
      const at = { values: centres, start: centre * dimensions };
      const distance = squared({ values, start: point * dimensions }, at, dimensions, least);
      if (distance >= least) continue;
      least = distance;
      best = centre;
    }
    if (to.clusters[point] !== best) moved += 1;
    to.clusters[point] = best;
    to.distances[point] = least;
  }
  return moved;
}

function moveCentres(
  { count, dimensions, values }: PointTable,
  centres: Float32Array,
  from: Assignment,
): void {
  const k = centres.length / dimensions;
  const sums = new Float64Array(centres.length);
  const sizes = new Int32Array(k);
  for (let point = 0; point < count; point += 1) {
    const cluster = from.clusters[point] ?? 0;
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
    const to = cluster * dimensions;
    for (let place = 0; place < dimensions; place += 1) {
      sums[to + place] = (sums[to + place] ?? 0) + (values[point * dimensions + place] ?? 0);
    }
  }
  for (let centre = 0; centre < k; centre += 1) {
    const size = sizes[centre] ?? 0;
    const furthest = size === 0 ? furthestPoint(from.distances) : -1;
    for (let place = 0; place < dimensions; place += 1) {
      const at = centre * dimensions + place;
      centres[at] = size > 0 ? (sums[at] ?? 0) / size : (values[furthest * dimensions + place] ?? 0);
    }
    if (furthest >= 0) from.distances[furthest] = 0;
  }
}

function furthestPoint(distances: Float32Array): number {
  let furthest = 0;
  for (let point = 1; point < distances.length; point += 1) {
    if ((distances[point] ?? 0) > (distances[furthest] ?? 0)) furthest = point;
  }
  return furthest;
}

/** A row of an array of points. */
interface Place {
  readonly values: Float32Array;
  readonly start: number;
}

/** Squared distance of two points; stops early once it is over `limit`. */
function squared(left: Place, right: Place, dimensions: number, limit: number): number {
  let sum = 0;
  for (let place = 0; place < dimensions; place += 1) {
    const difference =
      (left.values[left.start + place] as number) - (right.values[right.start + place] as number);
    sum += difference * difference;
    if ((place & 63) === 63 && sum > limit) return sum;
  }
  return sum;
}
