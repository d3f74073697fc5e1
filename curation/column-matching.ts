import type { DistinctColumns } from "./distinct-columns.ts";
import { mixed } from "./mixed.ts";
import { hasSameRows } from "./row-multisets.ts";

/** What is known of two results: `over_budget` when finding out would take more steps than allowed. */
export type MatchAnswer = "equal" | "different" | "over_budget";

/**
 * Whether a bijection of columns, within groups and between columns that repeat equally often, makes two
 * tables of one shape equal as multisets of rows.
 *
 * Columns get colours that any such bijection keeps: first from their group and their values, then, round by
 * round, from the rows that their values lie in. Different colours prove a difference. Where every colour
 * occurs once, one bijection is left, and it is checked exactly, so that no hash decides for equality. Where
 * colours are shared, one column is tried with each of its candidates in turn: the worst case is as hard as
 * graph isomorphism, and `maxSteps` bounds the cells read there.
 */
export function matchColumns(left: DistinctColumns, right: DistinctColumns, maxSteps: number): MatchAnswer {
  if (left.columns.length !== right.columns.length) return "different";
  const search: Search = { left, right, maxSteps, steps: 0 };
  const leftColours = firstColours(left);
  const rightColours = firstColours(right);
  if (!haveSameColours(leftColours, rightColours)) return "different";
  const refined = refine(search, leftColours, rightColours);
  search.steps = 0;
  return refined === undefined ? "different" : explore(search, refined);
}

interface Search {
  readonly left: DistinctColumns;
  readonly right: DistinctColumns;
  readonly maxSteps: number;
  /** Cells read so far. */
  steps: number;
}

/** A colour for each column of both tables; each colour occurs equally often on both sides. */
interface Colouring {
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** How many colours there are. */
  readonly colours: number;
}

const TRIED = 0x51ed270b;

function firstColours({ columns, groups, repeats }: DistinctColumns): Int32Array {
  return Int32Array.from(columns, (column, index) => {
    let sum = 0;
    for (const cell of column) sum = (sum + mixed(1, cell)) | 0;
    return mixed(mixed(groups[index] as number, repeats[index] as number), sum);
  });
}

/** Refines until no colour splits any more; `undefined` when the tables prove to be different. */
function refine(search: Search, left: Int32Array, right: Int32Array): Colouring | undefined {
  let now: Colouring = { left, right, colours: new Set(left).size };
  while (now.colours < left.length) {
    const next = { left: recoloured(search.left, now.left), right: recoloured(search.right, now.right) };
    search.steps += cellsOf(search) * 2;
    if (!haveSameColours(next.left, next.right)) return undefined;
    const colours = new Set(next.left).size;
    if (colours <= now.colours) return now;
    now = { ...next, colours };
  }
  return now;
}

/** Colours the rows by the colours of the columns that their cells lie in, then the columns by those rows. */
function recoloured({ columns, rows }: DistinctColumns, colours: Int32Array): Int32Array {
  const rowColours = new Int32Array(rows);
  columns.forEach((column, index) => {
    const colour = colours[index] as number;
    for (let row = 0; row < rows; row += 1) {
      rowColours[row] = ((rowColours[row] as number) + mixed(colour, column[row] as number)) | 0;
    }
  });
  return Int32Array.from(columns, (column, index) => {
    let sum = 0;
    for (let row = 0; row < rows; row += 1) {
      sum = (sum + mixed(rowColours[row] as number, column[row] as number)) | 0;
    }
    return mixed(colours[index] as number, sum);
  });
}

function explore(search: Search, colouring: Colouring): MatchAnswer {
  const { left, right, colours } = colouring;
  if (colours === left.length) return checkOnly(search, colouring);
  const colour = smallestShared(left);
  const chosen = left.indexOf(colour);
  for (let candidate = 0; candidate < right.length; candidate += 1) {
    if (right[candidate] !== colour) continue;
    if (search.steps > search.maxSteps) return "over_budget";
    const leftTried = Int32Array.from(left);
    const rightTried = Int32Array.from(right);
    leftTried[chosen] = mixed(TRIED, colour);
    rightTried[candidate] = mixed(TRIED, colour);
    const refined = refine(search, leftTried, rightTried);
    if (refined === undefined) continue;
    const answer = explore(search, refined);
    if (answer !== "different") return answer;
  }
  return "different";
}

/** Checks the one bijection that a colouring without shared colours leaves. */
function checkOnly(search: Search, { left, right }: Colouring): MatchAnswer {
  const places = new Map(Array.from(right, (colour, index) => [colour, index]));
  const columns = Array.from(
    left,
    (colour) => search.right.columns[places.get(colour) as number] as Int32Array,
  );
  search.steps += cellsOf(search);
  return hasSameRows(search.left, { rows: search.right.rows, columns }) ? "equal" : "different";
}

/** Cells of both tables. */
function cellsOf({ left }: Search): number {
  return 2 * left.rows * left.columns.length;
}

/** The colour that the fewest columns, but more than one, share; of several, the first. */
function smallestShared(colours: Int32Array): number {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [colour, count] of counts) {
    if (count === 1 || count >= fewest) continue;
    best = colour;
    fewest = count;
  }
  return best;
}

function haveSameColours(left: Int32Array, right: Int32Array): boolean {
  const sortedLeft = Int32Array.from(left).sort();
  const sortedRight = Int32Array.from(right).sort();
  return sortedLeft.every((colour, index) => colour === sortedRight[index]);
}
