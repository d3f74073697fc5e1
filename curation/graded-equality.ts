/** Rows in their order, more than the gold keeps where it has LIMIT: what each shows, and what it is ordered by. */
export interface KeyedRows {
  /** Equal for equal rows. */
  readonly rows: readonly string[];
  /** Equal for rows of equal order keys; one for each row. */
  readonly keys: readonly string[];
}

/** The rows that the gold keeps, from `from` up to but without `to`. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

/** A run of rows with equal order keys. */
interface TieClass extends RowWindow {
  /** How often it has each row. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Whether an end of the window lies between rows of equal order keys that are not all the same row. */
export function cutsTie(keyed: KeyedRows, window: RowWindow): boolean {
  return classesOf(keyed).some((one) => one.counts.size > 1 && isPartial(one, window));
}

/**
 * Whether an answer has the window's rows in their order. Rows of equal order keys can come in any order, and in the
 * place of one that the window leaves out.
 */
export function isInOrder(keyed: KeyedRows, window: RowWindow, answer: readonly string[]): boolean {
  if (answer.length !== window.to - window.from) return false;
  return classesOf(keyed).every((one) => {
    const from = Math.max(one.from, window.from) - window.from;
    const to = Math.min(one.to, window.to) - window.from;
    return to <= from || isWithin(countRows(answer.slice(from, to)), one.counts);
  });
}

/**
 * Whether an answer has as many rows as the window, in any order: all rows of the ties that the window has whole, and
 * of a tie at an end of it as many as it has.
 */
export function isSubset(keyed: KeyedRows, window: RowWindow, answer: readonly string[]): boolean {
  if (answer.length !== window.to - window.from) return false;
  const inside = classesOf(keyed).filter((one) => one.to > window.from && one.from < window.to);
  const rest = new Map(countRows(answer));
  for (const whole of inside.filter((one) => !isPartial(one, window))) {
    for (const [row, count] of whole.counts) {
      const left = (rest.get(row) ?? 0) - count;
      if (left < 0) return false;
      rest.set(row, left);
    }
  }
  const [first, second] = inside.filter((one) => isPartial(one, window));
  if (first === undefined) return true;
  if (second === undefined) return isWithin(rest, first.counts);
  return isSplit(rest, [first, second], first.to - window.from);
}

/** Whether rows can be dealt out to two ties so that the first gets `share` of them. */
function isSplit(
  rest: ReadonlyMap<string, number>,
  [first, second]: readonly [TieClass, TieClass],
  share: number,
): boolean {
  let least = 0;
  let most = 0;
  for (const [row, count] of rest) {
    const inFirst = first.counts.get(row) ?? 0;
    const inSecond = second.counts.get(row) ?? 0;
    if (count > inFirst + inSecond) return false;
    least += Math.max(0, count - inSecond);
    most += Math.min(count, inFirst);
  }
  return least <= share && share <= most;
}

/** Whether the window has some rows of a tie but not all. */
function isPartial(one: TieClass, window: RowWindow): boolean {
  const from = Math.max(one.from, window.from);
  const to = Math.min(one.to, window.to);
  return from < to && to - from < one.to - one.from;
}

const classes = new WeakMap<KeyedRows, readonly TieClass[]>();

function classesOf(keyed: KeyedRows): readonly TieClass[] {
  const known = classes.get(keyed);
  if (known !== undefined) return known;
  const found: TieClass[] = [];
  let from = 0;
  for (let to = 1; to <= keyed.rows.length; to += 1) {
    if (to < keyed.rows.length && keyed.keys[to] === keyed.keys[from]) continue;
    found.push({ from, to, counts: countRows(keyed.rows.slice(from, to)) });
    from = to;
  }
  classes.set(keyed, found);
  return found;
}

function countRows(rows: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

function isWithin(part: ReadonlyMap<string, number>, whole: ReadonlyMap<string, number>): boolean {
  for (const [row, count] of part) if (count > (whole.get(row) ?? 0)) return false;
  return true;
}
