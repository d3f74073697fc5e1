import type { Database, ForeignKey } from "../core/database.ts";
import type {
  ColumnProfile,
  InferredForeignKey,
  StoredTypes,
  TableProfile,
} from "../core/database-profile.ts";
import { type KeyNames, keyNames, type NamedColumn, namedColumn } from "../sql/foreign-key-names.ts";
import { mainTable, type ProfileReader, readOr } from "./profile-reader.ts";
import { quoteName } from "./sql-text.ts";

/** Columns that the values of one are looked up in, those with the surest names first. */
const MAX_CANDIDATES = 8;

/** Pairs of names that are compared in all: a schema can hold any number of columns. */
const MAX_PAIRS = 4_000_000;

interface KeyColumn {
  readonly table: string;
  readonly profile: ColumnProfile;
  readonly names: NamedColumn;
  readonly isPrimaryKey: boolean;
}

interface Candidate {
  readonly to: KeyColumn;
  readonly names: KeyNames;
  readonly order: number;
}

/**
 * Foreign keys that names suggest and data bear out, at most one of a column, in the schema's order: the column's
 * values, of which there has to be one, are in a column that is its table's primary key or has no value twice.
 * Left out are columns with a declared key, what leads back along one, and primary keys that lead to a column which
 * is none. Of two columns that lead to each other, the primary key is the one that is led to, else the earlier one.
 * `onStep` is called before each look at the data.
 */
export function inferForeignKeys(
  reader: ProfileReader,
  database: Database,
  tables: readonly TableProfile[],
  { minContained, onStep }: { readonly minContained: number; readonly onStep: () => void },
): InferredForeignKey[] {
  const { foreignKeys } = database.schema;
  const declared = new Set(foreignKeys.map((key) => sourceOf(key).toLowerCase()));
  const back = new Set(foreignKeys.map((key) => `${targetOf(key)} ${sourceOf(key)}`.toLowerCase()));
  const columns = keyColumns(database, tables);
  const targets = columns.filter(isUnique);
  const sources = columns.filter(
    ({ table, profile }) => profile.distinct > 0 && !declared.has(nameOf(table, profile.name).toLowerCase()),
  );
  const found: InferredForeignKey[] = [];
  let pairs = 0;
  for (const from of sources) {
    pairs += targets.length;
    if (pairs > MAX_PAIRS) break;
    for (const { to, names } of candidatesOf(from, targets, minContained)) {
      const key = keyOf(from, to);
      if (back.has(`${sourceOf(key)} ${targetOf(key)}`.toLowerCase())) continue;
      onStep();
      const contained = containedShare(reader, from, to);
      if (contained === 0 || contained < minContained) continue;
      const { distinct } = from.profile;
      found.push({ ...key, evidence: { distinct, contained, names: names.rule } });
      break;
    }
  }
  return withoutMirrors(found, columns);
}

function keyColumns(database: Database, tables: readonly TableProfile[]): KeyColumn[] {
  return tables.flatMap((table, place) => {
    const schema = database.schema.tables[place]?.columns ?? [];
    const keys = schema.filter(({ primaryKey }) => primaryKey > 0);
    return table.columns.map((profile, index) => ({
      table: table.name,
      profile,
      names: namedColumn(table.name, profile.name),
      isPrimaryKey: keys.length === 1 && keys[0] === schema[index],
    }));
  });
}

/** Whether no value is there twice. */
function isUnique({ profile: { distinct, stored } }: KeyColumn): boolean {
  return distinct > 0 && distinct === stored.integer + stored.real + stored.text + stored.blob;
}

function candidatesOf(from: KeyColumn, targets: readonly KeyColumn[], minContained: number): Candidate[] {
  const candidates: Candidate[] = [];
  targets.forEach((to, order) => {
    if (to === from || (from.isPrimaryKey && !to.isPrimaryKey)) return;
    if (to.profile.distinct < minContained * from.profile.distinct) return;
    const names = keyNames(from.names, to.names, to.isPrimaryKey);
    if (names !== null) candidates.push({ to, names, order });
  });
  return candidates
    .sort(
      (left, right) =>
        left.names.rank - right.names.rank ||
        Number(right.to.isPrimaryKey) - Number(left.to.isPrimaryKey) ||
        left.order - right.order,
    )
    .slice(0, MAX_CANDIDATES);
}

/**
 * The share of the distinct values of a column that another has. Values of one type are merged from two sorts, which
 * is bounded in memory and fast on any number of rows; only text and numbers are compared as SQLite would in a join.
 */
function containedShare(reader: ProfileReader, from: KeyColumn, to: KeyColumn): number {
  const column = quoteName(from.profile.name);
  const values = `SELECT ${column} COLLATE BINARY AS value FROM ${mainTable(from.table)} WHERE ${column} IS NOT NULL`;
  const referenced = `SELECT ${quoteName(to.profile.name)} FROM ${mainTable(to.table)}`;
  const sql = haveOneType(from.profile.stored, to.profile.stored)
    ? `SELECT count(*) FROM (${values} INTERSECT ${referenced} ORDER BY 1)`
    : `SELECT count(*) FROM (${values} GROUP BY 1) WHERE value IN (${referenced})`;
  const count = readOr(
    () => Number(reader.all(sql)[0]?.[0]),
    () => 0,
  );
  return Math.min(1, count / from.profile.distinct);
}

function haveOneType(left: StoredTypes, right: StoredTypes): boolean {
  return (
    (hasNumbers(left) && hasNumbers(right)) ||
    (left.text > 0 && right.text > 0) ||
    (left.blob > 0 && right.blob > 0)
  );
}

function hasNumbers({ integer, real }: StoredTypes): boolean {
  return integer + real > 0;
}

/** Leaves out the worse of two keys that lead to each other. */
function withoutMirrors(
  found: readonly InferredForeignKey[],
  columns: readonly KeyColumn[],
): InferredForeignKey[] {
  const order = new Map(columns.map((column, index) => [nameOf(column.table, column.profile.name), index]));
  const pairs = new Set(found.map((key) => `${sourceOf(key)} ${targetOf(key)}`));
  return found.filter((key) => {
    if (!pairs.has(`${targetOf(key)} ${sourceOf(key)}`)) return true;
    const [source, target] = [order.get(sourceOf(key)) ?? 0, order.get(targetOf(key)) ?? 0];
    const [isKey, leadsToKey] = [columns[source]?.isPrimaryKey, columns[target]?.isPrimaryKey];
    return isKey === leadsToKey ? target < source : leadsToKey === true;
  });
}

function sourceOf(key: ForeignKey): string {
  return nameOf(key.table, key.column);
}

function targetOf(key: ForeignKey): string {
  return nameOf(key.referencedTable, key.referencedColumn);
}

function nameOf(table: string, column: string): string {
  return JSON.stringify([table, column]);
}

function keyOf(from: KeyColumn, to: KeyColumn): ForeignKey {
  return {
    table: from.table,
    column: from.profile.name,
    referencedTable: to.table,
    referencedColumn: to.profile.name,
  };
}
