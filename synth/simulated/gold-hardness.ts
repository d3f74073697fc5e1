import type { DatabaseSchema } from "../../core/database.ts";
import { significantTokens } from "../../sql/lexer.ts";
import { spiderHardness } from "../../sql/spider-hardness.ts";
import { parseSpiderQuery } from "../../sql/spider-parser.ts";
import { hardnessByLength } from "./policy.ts";
import type { Hardness } from "./policy.ts";

/** Spider's hardness of a gold query, or one by its length where Spider's grammar does not have it. */
export function goldHardness(sql: string, schema: DatabaseSchema): Hardness {
  const tables = schema.tables.map(({ name, columns }) => ({
    name,
    columns: columns.map((column) => column.name),
  }));
  const parsed = parseSpiderQuery(sql, { tables });
  return parsed.ok ? spiderHardness(parsed.query) : hardnessByLength(significantTokens(sql).length);
}
