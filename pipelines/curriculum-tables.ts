import type { RatedPlace } from "./curriculum-places.ts";

/** Questions of one hardness by the share of their samples that is right. */
export interface RateRow {
  readonly hardness: string;
  /** By band of {@link RATE_BANDS}. */
  readonly questions: readonly number[];
  readonly total: number;
}

/** What would be kept at other bounds, of the questions that have a rate. */
export interface ThresholdRow {
  /** Trivial from this pass rate, intractable up to the other one; 0 to 1. */
  readonly trivialFrom: number;
  readonly intractableTo: number;
  readonly trivial: number;
  readonly intractable: number;
  readonly kept: number;
}

/** What a run's pass rates say. */
export interface CurriculumTables {
  readonly bands: readonly string[];
  readonly rates: readonly RateRow[];
  /** Questions without a rate: those that cannot be judged, and groups that ended early. */
  readonly unrated: number;
  readonly thresholds: readonly ThresholdRow[];
}

/** Names of the bands: none right, fifths of what is between, all right. */
export const RATE_BANDS = ["0", "to 20%", "to 40%", "to 60%", "to 80%", "below 100%", "100%"] as const;

const TRIVIAL_FROM = [1, 0.9, 0.75] as const;
const INTRACTABLE_TO = [0, 0.1, 0.25] as const;
const HARDNESSES = ["easy", "simple", "medium", "moderate", "hard", "challenging", "extra"];

/** Tables over the questions of a run; nothing is sampled for them. */
export function curriculumTables(places: Iterable<RatedPlace>): CurriculumTables {
  const rows = new Map<string, number[]>();
  const rated: { readonly n: number; readonly c: number }[] = [];
  let unrated = 0;
  for (const { hardness, n, c, isComplete } of places) {
    if (n === 0 || !isComplete) {
      unrated += 1;
      continue;
    }
    rated.push({ n, c });
    const name = hardness ?? "unknown";
    const counts = rows.get(name) ?? RATE_BANDS.map(() => 0);
    rows.set(name, counts);
    const band = bandOf(n, c);
    counts[band] = (counts[band] ?? 0) + 1;
  }
  const rates = [...rows]
    .sort(([left], [right]) => hardnessRank(left) - hardnessRank(right) || (left < right ? -1 : 1))
    .map(([hardness, questions]) => ({ hardness, questions, total: sum(questions) }));
  const thresholds = TRIVIAL_FROM.flatMap((trivialFrom) =>
    INTRACTABLE_TO.map((intractableTo) => {
      const trivial = rated.filter(({ n, c }) => c >= trivialFrom * n).length;
      const intractable = rated.filter(({ n, c }) => c < trivialFrom * n && c <= intractableTo * n).length;
      return { trivialFrom, intractableTo, trivial, intractable, kept: rated.length - trivial - intractable };
    }),
  );
  return { bands: RATE_BANDS, rates, unrated, thresholds };
}

function bandOf(n: number, c: number): number {
  if (c === 0) return 0;
  return c === n ? RATE_BANDS.length - 1 : Math.ceil((5 * c) / n);
}

function hardnessRank(name: string): number {
  const rank = HARDNESSES.indexOf(name);
  return rank === -1 ? HARDNESSES.length : rank;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
