import { defineMetric } from "../../core/metric.ts";
import { testSuiteMetric } from "../test-suite-metric.ts";

/**
 * Test-suite execution accuracy with DISTINCT kept: 1 when gold and prediction give the same result on every file of
 * the database, else 0. A second statement is an error.
 *
 * @paper Semantic Evaluation for Text-to-SQL with Distilled Test Suites (Zhong et al. 2020)
 */
export default defineMetric({
  id: "spider-ex-keep-distinct",
  version: 1,
  ...testSuiteMetric({ keepDistinct: true, plugValue: false }),
});
