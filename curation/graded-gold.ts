import { hasUniqueRows } from "../sql/grading-signs.ts";
import { keyedQuery } from "../sql/order-keys.ts";
import { outermostQuery } from "../sql/outermost-query.ts";
import type { OutermostQuery } from "../sql/outermost-query.ts";

/** How a gold that ran with its order keys is read: see `KeyedQuery`. */
export interface GradingPlan {
  /** Rows that the gold skips and then keeps; `null` without LIMIT. */
  readonly offset: number;
  readonly count: number | null;
  readonly keys: readonly number[];
  readonly added: number;
  /** Whether no two rows can be equal, by the text. */
  readonly uniqueRows: boolean;
}

/** A gold to run in place of the published one, and how to read its rows. */
export interface PlannedGold {
  readonly sql: string;
  readonly plan: GradingPlan;
}

const MARK = /\n\/\* grading (\{[^*]*\}) \*\/$/;

/**
 * The gold with its order keys beside its rows, and up to `spareRows` rows more than its LIMIT keeps; `null` where it
 * has neither ORDER BY nor LIMIT, or its keys cannot be had. The plan is also a comment at the end of the statement.
 */
export function planGold(query: OutermostQuery, spareRows: number): PlannedGold | null {
  const { limit, orderBy } = query;
  if (orderBy.length === 0 && limit === null) return null;
  const count = limit === null ? -1 : limit.count;
  const offset = limit === null ? 0 : limit.offset;
  if (count === null || offset === null) return null;
  const isCut = count >= 0;
  if (!isCut && offset > 0) return null;
  const skipped = Math.max(0, offset);
  const keyed = keyedQuery(query, isCut ? skipped + count + spareRows : null);
  if (keyed === null) return null;
  const { sql, keys, added } = keyed;
  const uniqueRows = hasUniqueRows(query);
  const plan = { offset: skipped, count: isCut ? count : null, keys, added, uniqueRows };
  return { sql: `${sql}\n/* grading ${JSON.stringify(plan)} */`, plan };
}

/** The plan that {@link planGold} left in a statement; `null` for any other statement. */
export function planIn(sql: string): GradingPlan | null {
  const mark = MARK.exec(sql)?.[1];
  return mark === undefined ? null : (JSON.parse(mark) as GradingPlan);
}

/** {@link planGold} for a text; `null` also for one that is no SELECT. */
export function planStatement(sql: string, spareRows: number): PlannedGold | null {
  const query = outermostQuery(sql);
  return query === null ? null : planGold(query, spareRows);
}
