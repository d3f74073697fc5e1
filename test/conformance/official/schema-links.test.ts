import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { DatabaseSchema } from "../../../core/database.ts";
import { readTablesFile } from "../../../datasets/tables-file.ts";
import { schemaLinks } from "../../../io/schema-links.ts";
import { clauseDifference } from "../../../sql/clause-difference.ts";
import { clausesOf } from "../../../sql/clauses.ts";
import { parseSpiderQuery } from "../../../sql/spider-parser.ts";
import { describeWithShared } from "../../shared-folder.ts";

interface Gold {
  readonly sql: string;
  readonly schema: DatabaseSchema;
}

async function readGolds(file: string, tables: string): Promise<Gold[]> {
  const schemas = new Map((await readTablesFile(tables)).map((schema) => [schema.databaseId, schema]));
  const text = await readFile(file, "utf8");
  const pairs = file.endsWith(".json")
    ? (JSON.parse(text) as { SQL: string; db_id: string }[]).map((row) => [row.SQL, row.db_id])
    : text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => line.split("\t").map((part) => part.trim()));
  return pairs.map(([sql = "", databaseId = ""]) => ({
    sql,
    schema: schemas.get(databaseId) as DatabaseSchema,
  }));
}

/** The tables and columns that Spider's grammar finds, in lower case; undefined for a text outside of it. */
function parsedNames({ sql, schema }: Gold): { tables: string[]; columns: string[] } | undefined {
  const parsed = parseSpiderQuery(sql, {
    tables: schema.tables.map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
    })),
  });
  if (!parsed.ok) return undefined;
  const tables = new Set<string>();
  const columns = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { kind, table, column } = value as Readonly<Record<string, unknown>>;
    if (kind === "table" && typeof table === "string") tables.add(table);
    if (typeof column === "string" && column !== "*") columns.add(column);
    Object.values(value).forEach(visit);
  };
  visit(parsed.query);
  return { tables: [...tables].sort(), columns: [...columns].sort() };
}

/**
 * Whether Spider's grammar does not say which columns are read: it does not expand `*`, knows one meaning of an alias
 * in the whole text, and drops what follows a column that something is compared with, up to AND.
 */
function isBeyondSpider(sql: string): boolean {
  if (/(?:\bselect|\bdistinct|,)\s+(?:\w+\.)?\*/i.test(sql) || /[=<>]\s*\w+\.\w+\s+(?:or\b|[-+])/i.test(sql))
    return true;
  const meanings = new Map<string, string>();
  for (const [, table = "", alias = ""] of sql.toLowerCase().matchAll(/(\S+)\s+as\s+(\w+)/g)) {
    if ((meanings.get(alias) ?? table) !== table) return true;
    meanings.set(alias, table);
  }
  return false;
}

describeWithShared("schema links of published golds", (shared) => {
  const spider = path.join(shared, "data/spider");
  const bird = path.join(shared, "data/bird/dev");

  it.each([
    {
      file: `${spider}/train_gold.sql`,
      tables: `${spider}/tables.json`,
      golds: 8659,
      refused: 3,
      compared: 8656,
      beyond: 79,
    },
    {
      file: `${spider}/dev_gold.sql`,
      tables: `${spider}/tables.json`,
      golds: 1034,
      refused: 0,
      compared: 1034,
      beyond: 9,
    },
    {
      file: `${spider}/test_gold.sql`,
      tables: `${spider}/test_tables.json`,
      golds: 2147,
      refused: 0,
      compared: 2147,
      beyond: 24,
    },
    {
      file: `${bird}/dev.json`,
      tables: `${bird}/dev_tables.json`,
      golds: 1534,
      refused: 0,
      compared: 236,
      beyond: 0,
    },
  ])("agree with Spider's grammar: $file", async ({ file, tables, ...expected }) => {
    const golds = await readGolds(file, tables);
    const counts = { golds: golds.length, refused: 0, compared: 0, beyond: 0 };
    const differences: unknown[] = [];
    for (const gold of golds) {
      const links = schemaLinks(gold.sql, gold.schema);
      if (!links.ok) {
        counts.refused += 1;
        continue;
      }
      const linkedTables = links.tables.map((table) => table.toLowerCase()).sort();
      const clauses = clausesOf(gold.sql, gold.schema);
      const isSame = clauseDifference(clauses, clausesOf(gold.sql, gold.schema)).isEmpty;
      if (clauses.tables.join() !== linkedTables.join() || !isSame)
        differences.push({ gold: gold.sql, clauses });
      const names = parsedNames(gold);
      if (names === undefined) continue;
      counts.compared += 1;
      if (names.tables.join() !== linkedTables.join()) differences.push({ gold: gold.sql, links, names });
      const columns = links.columns.map((one) => `${one.table}.${one.column}`.toLowerCase());
      if ([...new Set(columns)].sort().join() === names.columns.join()) continue;
      if (isBeyondSpider(gold.sql)) counts.beyond += 1;
      else differences.push({ gold: gold.sql, links, names });
    }
    console.info(`${path.basename(file)}: ${JSON.stringify(counts)}`);
    expect(differences).toEqual([]);
    expect(counts).toEqual(expected);
  });
});
