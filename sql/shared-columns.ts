import { nameOf } from "./lexer.ts";
import { QueryNames } from "./query-names.ts";
import type { QueryOutline, QueryScope, QuerySource } from "./query-parts.ts";
import { outlineQuery } from "./query-scan.ts";

/** What is asked of whoever knows the database. */
export interface ColumnLookup {
  /** Columns of a table; none for an unknown one. */
  columnsOf(table: string): readonly string[];
  /** Names of the columns that a query gives; none where it fails. */
  outputOf(query: string): readonly string[];
}

export interface SharedColumns {
  /** Columns of tables compared by USING or NATURAL, on both sides. */
  readonly columns: readonly { readonly table: string; readonly column: string }[];
  /** Tables joined by USING or NATURAL. */
  readonly tables: readonly string[];
  /** Names, in lower case, that stand for common table expressions alone, and nowhere for a table. */
  readonly cteNames: ReadonlySet<string>;
}

/**
 * The columns that a query compares without naming them for each side: those of USING and of NATURAL joins. On the
 * left it is the first source that has the column, in a right or full join every one.
 */
export function sharedColumns(sql: string, lookup: ColumnLookup): SharedColumns {
  if (!/using|natural|with/i.test(sql)) return { columns: [], tables: [], cteNames: new Set() };
  const outline = outlineQuery(sql);
  const cteNames = new Set<string>();
  for (const { frame } of outline.scopes) {
    for (const { name } of frame.ctes) cteNames.add(name.toLowerCase());
  }
  const columns: { table: string; column: string }[] = [];
  const tables: string[] = [];
  const names = new QueryNames(outline, null);
  for (const table of names.tables) cteNames.delete(table);
  for (const scope of outline.scopes) {
    if (!scope.sources.some(isShared)) continue;
    const sides = scope.sources.map((source) => sideOf(sql, { outline, names, scope }, source, lookup));
    for (const [index, source] of scope.sources.entries()) {
      const right = sides[index];
      if (!isShared(source) || right === undefined) continue;
      const left = sides.slice(0, index);
      tables.push(...[...left, right].flatMap((side) => side.table ?? []));
      columns.push(...comparedColumns(source, left, right));
    }
  }
  return { columns, tables, cteNames };
}

interface Side {
  /** `null` for a subquery or a common table expression, whose own reads are its own. */
  readonly table: string | null;
  readonly columns: ReadonlySet<string>;
}

function isShared(source: QuerySource): boolean {
  return source.using.length > 0 || source.join.startsWith("natural");
}

function comparedColumns(
  source: QuerySource,
  left: readonly Side[],
  right: Side,
): { table: string; column: string }[] {
  const inLeft = new Set(left.flatMap((side) => [...side.columns]));
  const compared =
    source.using.length > 0
      ? source.using.map((name) => name.toLowerCase())
      : [...right.columns].filter((column) => inLeft.has(column));
  const isOuter = /\b(?:right|full)\b/.test(source.join);
  return compared.flatMap((column) => {
    const owners = left.filter((side) => side.columns.has(column));
    return [...(isOuter ? owners : owners.slice(0, 1)), right].flatMap(({ table }) =>
      table === null ? [] : [{ table, column }],
    );
  });
}

interface Place {
  readonly outline: QueryOutline;
  readonly names: QueryNames;
  readonly scope: QueryScope;
}

function sideOf(sql: string, place: Place, source: QuerySource, lookup: ColumnLookup): Side {
  const isCte = place.names.cteOf(place.scope, source.name) !== undefined;
  if (source.kind === "name" && !isCte) {
    return { table: source.name, columns: folded(lookup.columnsOf(source.name)) };
  }
  const { tokens } = place.outline;
  const from = tokens[source.start]?.start ?? 0;
  const to = tokens[source.end - 1]?.end ?? sql.length;
  const query = `${withClause(sql, place)} SELECT * FROM ${sql.slice(from, to)}`;
  return { table: null, columns: folded(lookup.outputOf(query)) };
}

/** The nearest WITH around a scope, as it is written. */
function withClause(sql: string, { outline, scope }: Place): string {
  for (let frame: QueryScope["frame"] | null = scope.frame; frame !== null; frame = frame.outer) {
    const first = frame.ctes[0];
    const last = frame.ctes.at(-1);
    if (first === undefined || last === undefined) continue;
    const from = outline.tokens[first.start]?.start ?? 0;
    const to = outline.tokens[last.body.end - 1]?.end ?? sql.length;
    const before = outline.tokens[first.start - 1];
    const recursive =
      before !== undefined && nameOf(before).toLowerCase() === "recursive" ? "RECURSIVE " : "";
    return `WITH ${recursive}${sql.slice(from, to)}`;
  }
  return "";
}

function folded(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}
