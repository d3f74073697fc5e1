import type { Database } from "../core/database.ts";
import type { Example } from "../core/example.ts";
import type { LinkedTable } from "../core/trajectory.ts";
import { schemaLinks } from "../io/schema-links.ts";

/**
 * The tables and columns that the first gold of an example reads, in the schema's order: the oracle schema.
 * `null` where there is no gold or SQLite does not resolve it.
 * @paper DualSQL, oracle schema
 */
export function goldLinks({ gold }: Example, { schema }: Database): LinkedTable[] | null {
  const [sql] = gold;
  if (sql === undefined) return null;
  const linking = schemaLinks(sql, schema);
  if (!linking.ok) return null;
  return schema.tables
    .filter(({ name }) => linking.tables.includes(name))
    .map(({ name, columns }) => ({
      table: name,
      columns: columns
        .map((column) => column.name)
        .filter((column) =>
          linking.columns.some((linked) => linked.table === name && linked.column === column),
        ),
    }));
}
