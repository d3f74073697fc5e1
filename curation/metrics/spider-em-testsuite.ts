import { defineMetric } from "../../core/metric.ts";
import { SPIDER_MATCH_DEVIATIONS, spiderMatchVerdict } from "../../sql/spider-match-verdict.ts";

/**
 * Spider's exact set match as the script of the test suites has it, with which SParC and CoSQL are scored: LIMIT takes
 * any token, and each `value` in a prediction is read as 1. Nothing is run.
 *
 * @paper Zhong et al. 2020, Semantic Evaluation for Text-to-SQL with Distilled Test Suites: exact match of its script
 */
export default defineMetric({
  id: "spider-em-testsuite",
  version: 2,
  needs: { rows: false },
  deviations: SPIDER_MATCH_DEVIATIONS,
  judge: (pair) => spiderMatchVerdict(pair, "test-suite"),
});
