import { clausesOf } from "../sql/clauses.ts";
import { significantTokens, wordOf } from "../sql/lexer.ts";

/** The features of a query that tables are cut by, in their order. */
export const QUERY_FEATURES = [
  "one table",
  "two tables",
  "three tables or more",
  "outer join",
  "subquery",
  "common table expression",
  "set operation",
  "aggregate",
  "group by",
  "having",
  "order by",
  "limit",
  "distinct",
  "window",
  "or",
  "like",
  "in",
  "between",
  "case",
  "is null",
  "no clause beyond select and where",
] as const;
export type QueryFeature = (typeof QUERY_FEATURES)[number];

/** Words whose presence is a feature. */
const WORDS: Readonly<Record<string, QueryFeature>> = {
  or: "or",
  like: "like",
  glob: "like",
  in: "in",
  between: "between",
  case: "case",
};

/**
 * What a query makes use of, by its words and clauses, in the order of {@link QUERY_FEATURES}. Tables are counted by
 * use: a table joined with itself is two.
 */
export function queryFeatures(sql: string): QueryFeature[] {
  const clauses = clausesOf(sql);
  const words = significantTokens(sql).map(wordOf);
  const found = new Set<QueryFeature>();
  for (const word of words) {
    const feature = WORDS[word];
    if (feature !== undefined) found.add(feature);
  }
  const put = (feature: QueryFeature, holds: boolean): void => {
    if (holds) found.add(feature);
  };
  const sources = clauses.from.length;
  put("one table", sources === 1);
  put("two tables", sources === 2);
  put("three tables or more", sources > 2);
  put(
    "outer join",
    clauses.joins.some(({ text }) => /^(?:natural )?(?:left|right|full)\b/.test(text)),
  );
  const selects = words.filter((word) => word === "select").length;
  put("subquery", selects > 1 + clauses.setOperations.length + clauses.with.length);
  put("common table expression", clauses.with.length > 0);
  put("set operation", clauses.setOperations.length > 0);
  put("aggregate", clauses.aggregates.length > 0);
  put("group by", clauses.groupBy.length > 0);
  put("having", clauses.having.length > 0);
  put("order by", clauses.orderBy.length > 0);
  put("limit", clauses.limit !== null);
  put("distinct", words.includes("distinct"));
  put("window", words.includes("over"));
  put(
    "is null",
    words.some((word, index) => word === "is" && isNull(words, index)),
  );
  put("no clause beyond select and where", selects === 1 && sources < 2 && isPlain(found));
  return QUERY_FEATURES.filter((feature) => found.has(feature));
}

function isNull(words: readonly string[], is: number): boolean {
  return words[is + 1] === "null" || (words[is + 1] === "not" && words[is + 2] === "null");
}

/** Features that a query of one SELECT with a WHERE can have. */
const PLAIN: ReadonlySet<QueryFeature> = new Set(["one table", "or", "like", "in", "between", "is null"]);

function isPlain(found: ReadonlySet<QueryFeature>): boolean {
  return [...found].every((feature) => PLAIN.has(feature));
}
