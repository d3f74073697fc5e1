import { defineMetric } from "../../core/metric.ts";
import { testSuiteMetric } from "../test-suite-metric.ts";

/**
 * Test-suite execution accuracy, as Spider, SParC and CoSQL are evaluated today: 1 when gold and prediction give the
 * same result on every file of the database, else 0. Both first lose their DISTINCTs and all behind their first
 * statement. Columns may be permuted; row order counts where the gold says "order by", duplicates count.
 *
 * @paper Semantic Evaluation for Text-to-SQL with Distilled Test Suites (Zhong et al. 2020)
 */
export default defineMetric({
  id: "spider-ex",
  version: 1,
  ...testSuiteMetric({ keepDistinct: false, plugValue: false }),
});
