import type { ComparedColumn } from "./compared-columns.ts";
import type { Extreme } from "./grading-signs.ts";
import { itemOf } from "./order-keys.ts";
import type { OutermostQuery } from "./outermost-query.ts";

/** Texts, in lower case, that stand for no value in a column of numbers. */
const MISSING: readonly string[] = ["", "null", "none", "nan", "n/a", "na", "-", "?"];

/**
 * A statement that has a row exactly when the values of a column are all text that reads as numbers (texts for a missing
 * value aside), and their order as text, together with the literal that they are compared with, is another than as
 * numbers.
 */
export function numericTextProbe({ table, column, literal }: ComparedColumn): string {
  const missing = MISSING.map(quotedText).join(", ");
  const value = quotedName(column);
  const stored = `SELECT trim(${value}) AS v FROM ${quotedName(table)} WHERE typeof(${value}) = 'text' AND lower(trim(${value})) NOT IN (${missing})`;
  const all = literal === null ? "stored" : `(SELECT v FROM stored UNION ALL SELECT ${quotedText(literal)})`;
  return [
    `WITH stored(v) AS (${stored}),`,
    `ranked(n, before) AS (SELECT CAST(v AS REAL), lag(CAST(v AS REAL)) OVER (ORDER BY v) FROM ${all})`,
    `SELECT 1 FROM ranked WHERE n < before`,
    `AND NOT EXISTS (SELECT 1 FROM stored WHERE NOT ${looksNumeric("v")}) LIMIT 1`,
  ].join(" ");
}

/**
 * A statement that has a row exactly when a column, as written in the query, has more than one value in a group that
 * the query shows. `null` where the query joins several selects.
 */
export function bareColumnProbe(query: OutermostQuery, column: string): string | null {
  if (query.operators.length > 0 || query.itemsEnd === 0) return null;
  const { sql, itemsEnd, distinct } = query;
  const start = distinct === null ? "" : sql.slice(0, distinct.start);
  const items = sql.slice(distinct === null ? 0 : distinct.end, itemsEnd);
  const values = `count(DISTINCT ${column}) + (count(*) > count(${column}))`;
  const grouped = `${start}${items}, ${values} AS gradus_values${sql.slice(itemsEnd)}`;
  return `SELECT 1 FROM (${grouped}\n) WHERE gradus_values > 1 LIMIT 1`;
}

/**
 * A statement that has a row exactly when a column has more than one value among the rows of a group that share its
 * minimum or maximum. `null` where the query shows only some of its groups, or joins several selects.
 */
export function bareExtremeProbe(query: OutermostQuery, column: string, extreme: Extreme): string | null {
  const { sql, distinct, items, itemsEnd, rowsEnd, having, limit } = query;
  const itemsStart = distinct?.start ?? items[0]?.tokens[0]?.start;
  const isPartial = having.length > 0 || limit !== null || query.operators.length > 0;
  if (isPartial || itemsStart === undefined || /^distinct\b/i.test(extreme.of)) return null;
  const grouped = query.groupBy.map((term) => itemOf(term, query)?.text ?? term.text);
  const groups = grouped.length === 0 ? ["1"] : grouped;
  const names = groups.map((_, index) => `gradus_group_${index}`).join(", ");
  const selected = groups.map((text, index) => `${text} AS gradus_group_${index}`).join(", ");
  const rows = `${sql.slice(0, itemsStart)}${column} AS gradus_value, ${extreme.of} AS gradus_key, ${selected}${sql.slice(itemsEnd, rowsEnd)}`;
  const order = `gradus_key ${extreme.name === "max" ? "DESC" : "ASC"} NULLS LAST`;
  return [
    `SELECT 1 FROM (SELECT *, rank() OVER (PARTITION BY ${names} ORDER BY ${order}) AS gradus_place FROM (${rows}\n))`,
    `WHERE gradus_place = 1 GROUP BY ${names}`,
    "HAVING count(DISTINCT gradus_value) + (count(*) > count(gradus_value)) > 1 LIMIT 1",
  ].join(" ");
}

/** A condition on an SQL expression: digits with at most one sign in front, one point and one exponent. */
function looksNumeric(value: string): string {
  const unsigned = `ltrim(${value}, '+-')`;
  const mantissa = `CASE WHEN ${unsigned} GLOB '*[0-9][eE][-+0-9]*' THEN 1 ELSE length(${unsigned}) - length(replace(${unsigned}, '.', '')) <= 1 END`;
  return `(${unsigned} GLOB '[0-9.]*' AND ${unsigned} GLOB '*[0-9]*' AND ${unsigned} NOT GLOB '*[^0-9.eE+-]*' AND ${unsigned} NOT GLOB '*[0-9.][+-]*' AND ${mantissa})`;
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
