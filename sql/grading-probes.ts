import type { ComparedColumn } from "./compared-columns.ts";
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
