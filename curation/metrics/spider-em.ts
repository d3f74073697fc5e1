import { defineMetric } from "../../core/metric.ts";
import { SPIDER_MATCH_DEVIATIONS, spiderMatchVerdict } from "../../sql/spider-match-verdict.ts";

/**
 * Spider's exact set match as Spider's own script has it: 1 when the clauses of both queries agree as sets, values
 * aside, else 0. Nothing is run.
 *
 * @paper Spider (Yu et al. 2018), section 4.2
 */
export default defineMetric({
  id: "spider-em",
  version: 2,
  needs: { rows: false },
  deviations: SPIDER_MATCH_DEVIATIONS,
  judge: (pair) => spiderMatchVerdict(pair, "spider"),
});
