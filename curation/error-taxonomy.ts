import type { DatabaseSchema } from "../core/database.ts";
import type { Execution } from "../core/execution.ts";
import { type ClauseDifference, COMPARED_CLAUSES, clauseDifference } from "../sql/clause-difference.ts";
import { clausesOf } from "../sql/clauses.ts";

/** The classes of wrong answers, in the order in which the first that fits is the main one. */
export const ERROR_CLASSES = [
  "no_answer",
  "execution",
  "schema_linking",
  "join_path",
  "aggregation_drift",
  "constraint_coherence",
  "set_operation",
  "output_shape",
  "order_and_limit",
  "unexplained",
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** What each class means, for a model that names them. */
export const ERROR_MEANINGS: Readonly<Record<ErrorClass, string>> = {
  no_answer: "there is no query",
  execution: "the query does not run to a result: an error, a limit, or a refusal",
  schema_linking: "a wrong table or column is read, or one that is needed is not",
  join_path: "tables are joined on the wrong columns, by the wrong kind of join, or one too many is joined",
  aggregation_drift: "an aggregate, its argument, GROUP BY or HAVING is wrong or missing",
  constraint_coherence:
    "a condition that the question or its dialogue asks for is missing, wrong, or has another value, or one is added",
  set_operation: "UNION, INTERSECT or EXCEPT is wrong or missing",
  output_shape: "the output has other columns than asked for, or duplicates are kept or dropped wrongly",
  order_and_limit: "the order of the rows or their number is wrong",
  unexplained: "none of these",
};

/** A wrong answer, and what is known of it. */
export interface WrongAnswer {
  readonly goldSql: string;
  /** `null` for no answer. */
  readonly predictedSql: string | null;
  readonly schema: DatabaseSchema | null;
  /** `null` where nothing was run. */
  readonly gold: Execution | null;
  readonly predicted: Execution | null;
}

/** Why an answer is wrong, as far as its text and how it ended tell. */
export interface ErrorReport {
  readonly main: ErrorClass;
  /** All classes that fit, the main one first. */
  readonly classes: readonly ErrorClass[];
  /** What the classes were read from: `where_missing`, `value_changed`, `no_such_column`, … */
  readonly signs: readonly string[];
}

/** Statuses of runs that gave no result. */
const FAILED: ReadonlySet<string> = new Set(["error", "timeout", "too_large", "denied", "crashed"]);

/** What an engine's message says, by its beginning. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/no such column/i, "no_such_column"],
  [/no such table/i, "no_such_table"],
  [/no such function/i, "no_such_function"],
  [/ambiguous column/i, "ambiguous_column"],
  [/syntax error|unrecognized token|incomplete input/i, "syntax_error"],
  [/misuse of aggregate/i, "misused_aggregate"],
];

/**
 * Sorts a wrong answer into classes by rules on the difference of its clauses to gold's. MTSQL-R1 names five and has a
 * model judge; here they are told by text, so that two equivalent spellings can show as a difference.
 *
 * - `no_answer`: there is no SQL, or a blank one. `execution`: the query did not run to a result. Both end the search.
 * - `schema_linking`: a table of gold is not read, or a clause has a column in place of another.
 * - `join_path`: tables are joined on other columns, in another kind of join, or one is read that gold does not read.
 * - `aggregation_drift`: aggregates, GROUP BY or HAVING differ.
 * - `constraint_coherence`: conditions of WHERE are missing, added, or have other values.
 * - `set_operation`: UNION, INTERSECT and EXCEPT differ.
 * - `output_shape`: the output has other expressions, another order of them, or another DISTINCT.
 * - `order_and_limit`: those differ. `unexplained`: no clause does, or none of the above fits.
 *
 * @paper MTSQL-R1, section 4.4: execution error, constraint coherence, schema linking, aggregation drift, join path; the
 * rules are not in the paper
 */
export function errorReport(answer: WrongAnswer): ErrorReport {
  const { goldSql, predictedSql, schema, predicted } = answer;
  if (predictedSql === null || predictedSql.trim() === "") return reportOf(["no_answer"], []);
  if (predicted !== null && FAILED.has(predicted.status)) {
    const sign = MESSAGES.find(([pattern]) => pattern.test(predicted.message))?.[1];
    return reportOf(["execution"], [`execution_${predicted.status}`, ...(sign === undefined ? [] : [sign])]);
  }
  const difference = clauseDifference(clausesOf(goldSql, schema), clausesOf(predictedSql, schema));
  const signs = [...clauseSigns(difference), ...resultSigns(answer)];
  return reportOf(classesOf(difference, columnNames(schema)), signs);
}

function reportOf(found: readonly ErrorClass[], signs: readonly string[]): ErrorReport {
  const classes = ERROR_CLASSES.filter((name) => found.includes(name));
  const [main = "unexplained"] = classes;
  return { main, classes: classes.length === 0 ? [main] : classes, signs };
}

function classesOf(difference: ClauseDifference, columns: ReadonlySet<string>): ErrorClass[] {
  const { states, tables, joinChanges, distinct, limit, aggregates, directions } = difference;
  const differs = (...clauses: (typeof COMPARED_CLAUSES)[number][]): boolean =>
    clauses.some((clause) => states[clause] !== "same" && states[clause] !== "absent");
  const found: ErrorClass[] = [];
  const hasSwap = COMPARED_CLAUSES.some((clause) => swapsColumn(difference, clause, columns));
  if (tables.missing.length > 0 || hasSwap) found.push("schema_linking");
  if (joinChanges.length > 0 || tables.extra.length > 0 || differs("joins")) found.push("join_path");
  if (hasAny(aggregates) || differs("groupBy", "having")) found.push("aggregation_drift");
  if (differs("where")) found.push("constraint_coherence");
  if (differs("select") || distinct !== "same") found.push("output_shape");
  if (differs("setOperations")) found.push("set_operation");
  if (differs("orderBy", "limit") || limit !== null || directions.length > 0) found.push("order_and_limit");
  return found;
}

/** Whether a clause lacks a column of gold and has one that gold does not have there. */
function swapsColumn(
  { items }: ClauseDifference,
  clause: (typeof COMPARED_CLAUSES)[number],
  columns: ReadonlySet<string>,
): boolean {
  if (clause === "from" || clause === "joins" || clause === "with" || clause === "setOperations")
    return false;
  const missing = namedIn(items[clause].missing, columns);
  const extra = namedIn(items[clause].extra, columns);
  const lacks = [...missing].some((name) => !extra.has(name));
  return lacks && [...extra].some((name) => !missing.has(name));
}

/** The columns of the schema that texts name, without their tables. */
function namedIn(texts: readonly string[], columns: ReadonlySet<string>): ReadonlySet<string> {
  const named = new Set<string>();
  for (const text of texts) {
    const bare = text.replaceAll(/'(?:[^']|'')*'/g, "");
    for (const [name] of bare.matchAll(/"[^"]+"|[\p{L}_][\p{L}\p{N}_$]*/gu)) {
      const plain = name.replaceAll('"', "").toLowerCase();
      if (columns.has(plain)) named.add(plain);
    }
  }
  return named;
}

function columnNames(schema: DatabaseSchema | null): ReadonlySet<string> {
  const tables = schema?.tables ?? [];
  return new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase())));
}

function clauseSigns(difference: ClauseDifference): string[] {
  const signs = COMPARED_CLAUSES.flatMap((clause) => {
    const state = difference.states[clause];
    const name = clause.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return state === "same" || state === "absent" ? [] : [`${name}_${state}`];
  });
  const put = (sign: string, holds: boolean): void => {
    if (holds) signs.push(sign);
  };
  put("table_missing", difference.tables.missing.length > 0);
  put("table_extra", difference.tables.extra.length > 0);
  put("value_changed", difference.values.length > 0);
  put("join_columns_changed", difference.joinChanges.length > 0);
  put("aggregate_changed", difference.aggregateChanges.length > 0);
  put("aggregate_missing", difference.aggregates.missing.length > difference.aggregates.extra.length);
  put("aggregate_extra", difference.aggregates.extra.length > difference.aggregates.missing.length);
  put("direction_changed", difference.directions.length > 0);
  put(`distinct_${difference.distinct}`, difference.distinct !== "same");
  return signs;
}

function resultSigns({ gold, predicted }: WrongAnswer): string[] {
  if (gold === null || predicted === null || FAILED.has(gold.status)) return [];
  if (predicted.status === "empty" && gold.status === "ok") return ["empty_result"];
  const signs = predicted.columns === gold.columns ? [] : ["other_number_of_columns"];
  return predicted.rows === gold.rows ? signs : [...signs, "other_number_of_rows"];
}

function hasAny({ missing, extra }: ClauseDifference["tables"]): boolean {
  return missing.length > 0 || extra.length > 0;
}
