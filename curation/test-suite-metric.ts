import type { Metric, Rewriting } from "../core/metric.ts";
import { scored, unscored } from "../core/verdict.ts";
import type { Unscored } from "../core/verdict.ts";
import { closeOperators, dropDistinct, fixYear, mentionsOrder } from "../sql/test-suite-rewrite.ts";
import { countSlots, fillSlots, takeOutValues } from "../sql/value-slots.ts";
import { testSuiteEquality } from "./test-suite-equality.ts";

/** Forms of one prediction that are run at most, and the longest statement that values are taken out of. */
const MAX_FORMS = 4096;
const MAX_CHARACTERS = 50_000;

export interface TestSuiteVariant {
  /** Whether DISTINCT, and what follows the first statement, stays in both statements. */
  readonly keepDistinct: boolean;
  /** Whether the gold's values are tried in the place of the prediction's. */
  readonly plugValue: boolean;
}

const DEVIATIONS: readonly string[] = [
  "statements run read-only: a prediction that writes scores 0",
  "where the official run aborts, an answer is unscored: a gold that fails, a blank statement",
  "time is limited per statement, by CPU",
  "a search for a permutation of columns over its step budget is unscored",
  "a prediction keeps the text `value`: the official script writes 1 for it before it judges",
  "journals beside a database file are no files of its test suite",
];

/** A test-suite metric but for its id and version. */
export function testSuiteMetric({
  keepDistinct,
  plugValue,
}: TestSuiteVariant): Pick<Metric, "needs" | "deviations" | "rewrite" | "judge"> {
  return {
    needs: { rows: true, everyFile: true },
    deviations: plugValue
      ? [
          ...DEVIATIONS,
          `with more than ${MAX_FORMS} ways to plug values in, an answer that is wrong as it stands is unscored`,
        ]
      : DEVIATIONS,
    rewrite: (goldSql, predictedSql) => {
      const gold = closeOperators(goldSql);
      const predicted = closeOperators(predictedSql);
      if (keepDistinct) return rewriting(gold, [predicted]);
      const goldFirst = dropDistinct(gold);
      const predictedFirst = dropDistinct(predicted);
      if (goldFirst === null || predictedFirst === null) {
        return officialCrash(`the ${goldFirst === null ? "gold" : "prediction"} is blank`);
      }
      return plugValue
        ? withPluggedValues(goldFirst, predictedFirst)
        : rewriting(goldFirst, [predictedFirst]);
    },
    judge: ({ goldSql, gold, predicted }) => {
      const answer = testSuiteEquality(gold, predicted, { rowsOrdered: mentionsOrder(goldSql) });
      if (answer !== "over_budget") return scored(answer === "equal" ? 1 : 0);
      return unscored(
        "spider_ex_budget",
        "no permutation of columns was found or ruled out within the budget",
      );
    },
  };
}

function rewriting(gold: string, predicted: Iterable<string>, omitted: Unscored | null = null): Rewriting {
  return { goldSql: fixYear(gold), predictedSql: fixedYears(predicted), omitted };
}

function* fixedYears(statements: Iterable<string>): Generator<string, void, void> {
  for (const sql of statements) yield fixYear(sql);
}

function withPluggedValues(gold: string, predicted: string): Rewriting | Unscored {
  if (gold.length > MAX_CHARACTERS || predicted.length > MAX_CHARACTERS) {
    const message = `a statement has more than ${MAX_CHARACTERS} characters`;
    return rewriting(gold, [predicted], unscored("plug_value_budget", message));
  }
  const known = takeOutValues(gold);
  const slotted = takeOutValues(predicted);
  if (known === null || slotted === null) return officialCrash("nothing is left beside semicolons");
  const forms = known.values.length ** countSlots(slotted);
  if (forms <= MAX_FORMS) {
    return rewriting(gold, formsOf(predicted, fillSlots(slotted, known.values)));
  }
  const message = `there are ${forms} ways to plug in values, at most ${MAX_FORMS} are tried`;
  return rewriting(gold, [predicted], unscored("plug_value_budget", message));
}

function* formsOf(predicted: string, plugged: Iterable<string>): Generator<string, void, void> {
  yield predicted;
  yield* plugged;
}

function officialCrash(why: string): Unscored {
  return unscored("official_crash", `the official evaluation aborts: ${why}`);
}
