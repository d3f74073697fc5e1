import type { Place } from "./curriculum-places.ts";

/** Where a question stands for a person: a level of training, validation, a reason to drop it, or not in the run. */
export type PlaceName = string;

/** A question that is not where it was. */
export interface Moved {
  readonly exampleId: string;
  /** `<loader>/<split>` and the dataset's own name for it. */
  readonly dataset: string;
  readonly sourceId: string;
  readonly databaseId: string;
  /** `null` where the run does not have the question. */
  readonly before: Place | null;
  readonly after: Place | null;
  /** See {@link changeOf}. */
  readonly change: Change;
  /** The figures behind it, in words. */
  readonly why: string;
}

/**
 * `left`, `came_back`: no longer or newly kept; `new`, `gone`: in one run only, kept or not; `earlier`, `later`: at
 * another level; `split`: between training and validation; `dropped_otherwise`: dropped for another reason.
 */
export type Change =
  | "left"
  | "came_back"
  | "new"
  | "gone"
  | "earlier"
  | "later"
  | "split"
  | "dropped_otherwise"
  | "same";

/** How many questions went from one place to another. */
export interface Movement {
  readonly before: PlaceName;
  readonly after: PlaceName;
  readonly questions: number;
}

/** What moved between two runs over the same questions. Every question of either is in `movement` once. */
export interface CurriculumDiff {
  readonly questions: { readonly before: number; readonly after: number; readonly both: number };
  readonly kept: { readonly before: number; readonly after: number };
  /** Questions by {@link Change}, every kind listed. */
  readonly changes: Readonly<Record<Change, number>>;
  /** By place before and after, in the order of {@link comparePlaces}. */
  readonly movement: readonly Movement[];
  /** The same by bucket alone: `kept`, or the reason to drop. */
  readonly buckets: readonly Movement[];
  /** Those whose place changed, in the order of the run after, then those that are gone. */
  readonly moved: readonly Moved[];
}

const CHANGES: readonly Change[] = [
  "same",
  "earlier",
  "later",
  "split",
  "left",
  "came_back",
  "dropped_otherwise",
  "new",
  "gone",
];

export const ABSENT = "not in the run";

/** Compares the places of two runs, by example. */
export function diffCurricula(
  before: ReadonlyMap<string, Place>,
  after: ReadonlyMap<string, Place>,
): CurriculumDiff {
  const changes = Object.fromEntries(CHANGES.map((change) => [change, 0])) as Record<Change, number>;
  const movement = new MovementTable();
  const buckets = new MovementTable();
  const moved: Moved[] = [];
  const add = (exampleId: string, old: Place | null, now: Place | null): void => {
    const change = changeOf(old, now);
    changes[change] += 1;
    movement.add(placeName(old), placeName(now));
    buckets.add(old?.bucket ?? ABSENT, now?.bucket ?? ABSENT);
    const { dataset, sourceId, databaseId } = (now ?? old) as Place;
    const row = { exampleId, dataset, sourceId, databaseId, before: old, after: now, change };
    if (change !== "same") moved.push({ ...row, why: reasonOf(old, now) });
  };
  for (const [exampleId, place] of after) add(exampleId, before.get(exampleId) ?? null, place);
  for (const [exampleId, place] of before) if (!after.has(exampleId)) add(exampleId, place, null);
  return {
    questions: { before: before.size, after: after.size, both: before.size - changes.gone },
    kept: { before: keptIn(before), after: keptIn(after) },
    changes,
    movement: movement.rows(),
    buckets: buckets.rows(),
    moved,
  };
}

/** The name of a place, `level 1` being the first. */
export function placeName(place: Place | null): PlaceName {
  if (place === null) return ABSENT;
  if (place.level === null || place.split === null) return place.bucket;
  const level = `level ${place.level + 1}`;
  return place.split === "train" ? level : `${place.split} ${level}`;
}

/** What became of a question. */
export function changeOf(before: Place | null, after: Place | null): Change {
  if (before === null) return "new";
  if (after === null) return "gone";
  const [wasKept, isKept] = [before.bucket === "kept", after.bucket === "kept"];
  if (wasKept !== isKept) return wasKept ? "left" : "came_back";
  if (!isKept) return before.bucket === after.bucket ? "same" : "dropped_otherwise";
  if (before.split !== after.split) return "split";
  if (before.level === after.level) return "same";
  return (before.level ?? 0) > (after.level ?? 0) ? "earlier" : "later";
}

function reasonOf(before: Place | null, after: Place | null): string {
  const told = [before, after].map((place) => (place === null ? ABSENT : figuresOf(place)));
  return `${told[0]}; now ${told[1]}`;
}

function figuresOf({ bucket, message, n, c }: Place): string {
  const rate = n === 0 ? "no scored sample" : `${c} of ${n} right`;
  if (bucket === "kept" || bucket === "trivial" || bucket === "intractable") return rate;
  return message === "" ? bucket.replaceAll("_", " ") : `${bucket.replaceAll("_", " ")}: ${message}`;
}

function keptIn(places: ReadonlyMap<string, Place>): number {
  let kept = 0;
  for (const { bucket } of places.values()) if (bucket === "kept") kept += 1;
  return kept;
}

class MovementTable {
  readonly #counts = new Map<string, Movement>();

  add(before: PlaceName, after: PlaceName): void {
    const key = JSON.stringify([before, after]);
    const questions = (this.#counts.get(key)?.questions ?? 0) + 1;
    this.#counts.set(key, { before, after, questions });
  }

  rows(): Movement[] {
    return [...this.#counts.values()].sort(byPlaces);
  }
}

function byPlaces(left: Movement, right: Movement): number {
  return comparePlaces(left.before, right.before) || comparePlaces(left.after, right.after);
}

/** Where a place stands in a table: levels of training, of validation, trivial, intractable, the others, absent. */
export function comparePlaces(left: PlaceName, right: PlaceName): number {
  const difference = placeOrder(left) - placeOrder(right);
  if (difference !== 0) return difference;
  return left < right ? -1 : Number(left > right);
}

function placeOrder(place: PlaceName): number {
  const level = /^(?:(\w+) )?level (\d+)$/.exec(place);
  if (level !== null) return Number(level[2]) + (level[1] === undefined ? 0 : 1_000);
  const known = ["kept", "trivial", "intractable"].indexOf(place);
  if (known >= 0) return 2_000 + known;
  return place === ABSENT ? 4_000 : 3_000;
}
