import { defineMetric } from "../../core/metric.ts";
import { testSuiteMetric } from "../test-suite-metric.ts";

/**
 * Test-suite execution accuracy for models that predict no values: 1 when the prediction, as it is or with values of
 * the gold in the place of its own in any combination, gives the gold's result on every file of the database, else 0.
 *
 * @paper Semantic Evaluation for Text-to-SQL with Distilled Test Suites (Zhong et al. 2020)
 */
export default defineMetric({
  id: "spider-ex-plug-value",
  version: 1,
  ...testSuiteMetric({ keepDistinct: false, plugValue: true }),
});
