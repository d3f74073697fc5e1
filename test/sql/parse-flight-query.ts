import { parseSpiderQuery } from "../../sql/spider-parser.ts";
import type { SpiderQuery } from "../../sql/spider-query.ts";
import { FLIGHT_NAMES } from "./flight-schema.ts";

/** A query over the schema of flights; throws where it does not parse. */
export function parseFlightQuery(sql: string): SpiderQuery {
  const result = parseSpiderQuery(sql, FLIGHT_NAMES);
  if (!result.ok) throw new Error(`${sql}: ${result.message}`);
  return result.query;
}
