import type { JudgedPair } from "../core/metric.ts";
import { scoredWith, unscored } from "../core/verdict.ts";
import type { Verdict } from "../core/verdict.ts";
import { EMPTY_SPIDER_QUERY, SPIDER_COMPONENTS, spiderExactMatch } from "./spider-exact-match.ts";
import type { SpiderExactMatch } from "./spider-exact-match.ts";
import { parseSpiderQuery } from "./spider-parser.ts";

/**
 * Which official script reads the texts. `spider`: Spider's own, for which LIMIT has an integer. `test-suite`: that of
 * the test suites, which takes any token after LIMIT and reads each `value` of a prediction as 1, inside names too.
 */
export type SpiderScript = "spider" | "test-suite";

/** How the verdicts depart from both scripts. */
export const SPIDER_MATCH_DEVIATIONS: readonly string[] = [
  "a gold outside Spider's grammar leaves its answers unscored instead of ending the evaluation",
  "a pair on which the official script stops with an error is unscored",
];

/**
 * 1 for an exact set match of the prediction with the gold, else 0; `details` has each component's accuracy, recall, F1,
 * and its items in gold and prediction, in this order. A prediction outside Spider's grammar counts as an
 * empty query. Unscored: `spider_parse_refused` for a gold outside it, `official_crash` where the official script stops
 * with an error.
 */
export function spiderMatchVerdict(
  { goldSql, predictedSql, schema }: Pick<JudgedPair, "goldSql" | "predictedSql" | "schema">,
  script: SpiderScript,
): Verdict {
  const names = {
    tables: schema.tables.map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
    })),
  };
  const isTestSuite = script === "test-suite";
  const options = { limit: isTestSuite ? "any-token" : "integer" } as const;
  const gold = parseSpiderQuery(goldSql, names, options);
  if (!gold.ok) return unscored("spider_parse_refused", `${gold.reason}: ${gold.message}`);
  const text = isTestSuite ? predictedSql.replaceAll("value", "1") : predictedSql;
  const predicted = parseSpiderQuery(text, names, options);
  const { exact, partial } = spiderExactMatch(
    gold.query,
    predicted.ok ? predicted.query : EMPTY_SPIDER_QUERY,
    schema,
  );
  if (exact === null) {
    return unscored("official_crash", "Spider's evaluation stops with an error on this pair of queries.");
  }
  return scoredWith(exact ? 1 : 0, detailsOf(partial));
}

function detailsOf(partial: SpiderExactMatch["partial"]): Record<string, number[]> {
  return Object.fromEntries(
    SPIDER_COMPONENTS.map((component) => {
      const { acc, rec, f1, labelTotal, predTotal } = partial[component];
      return [component, [acc, rec, f1, labelTotal, predTotal]];
    }),
  );
}
