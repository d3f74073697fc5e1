import { defineLabel } from "../../core/metric.ts";
import { unscored } from "../../core/verdict.ts";
import { SPIDER_HARDNESS_LEVELS, spiderHardness } from "../../sql/spider-hardness.ts";
import { parseSpiderQuery } from "../../sql/spider-parser.ts";

/**
 * Spider's hardness of a gold, read in Spider's grammar. A gold outside that grammar has none
 * (`spider_parse_refused`): BIRD's golds mostly are.
 *
 * @paper Spider (Yu et al. 2018), section 4.3
 */
export default defineLabel({
  id: "spider-hardness",
  version: 1,
  levels: SPIDER_HARDNESS_LEVELS,
  label(goldSql, schema) {
    const tables = schema.tables.map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
    }));
    const parsed = parseSpiderQuery(goldSql, { tables });
    if (!parsed.ok) return unscored("spider_parse_refused", `${parsed.reason}: ${parsed.message}`);
    return { status: "scored", label: spiderHardness(parsed.query) };
  },
});
