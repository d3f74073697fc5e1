import type { DatabaseSchema, TableSchema } from "../core/database.ts";
import type { UsedColumn } from "../core/gold-facts.ts";
import { foldName } from "./fold-name.ts";
import { isName, nameOf, wordOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import type { QueryFrame, QueryOutline, QueryScope, QuerySource, Stretch } from "./query-parts.ts";
import { isReserved } from "./reserved-words.ts";

/** A column and the tokens that name it, qualifier included. */
export interface PlacedColumn extends Stretch {
  readonly column: UsedColumn;
}

/** Words behind which a name is no column. */
const NAMERS: ReadonlySet<string> = new Set(["as", "collate", "over"]);

/** Finds the columns of a statement by its scopes and a schema. */
export class UsedColumns {
  /** In the order of the text. */
  readonly all: readonly PlacedColumn[];
  readonly #outline: QueryOutline;
  readonly #tables: ReadonlyMap<string, TableSchema>;
  readonly #byStart = new Map<number, PlacedColumn>();
  readonly #byEnd = new Map<number, PlacedColumn>();

  constructor(outline: QueryOutline, schema: DatabaseSchema) {
    this.#outline = outline;
    this.#tables = new Map(schema.tables.map((table) => [foldName(table.name), table]));
    const inSources = sourceTokens(outline);
    const found: PlacedColumn[] = [];
    for (let index = 0; index < outline.tokens.length; ) {
      const placed = inSources.has(index) ? null : this.#read(index);
      if (placed === null) {
        index += 1;
        continue;
      }
      found.push(placed);
      this.#byStart.set(placed.start, placed);
      this.#byEnd.set(placed.end, placed);
      index = placed.end;
    }
    this.all = found;
  }

  /** The column whose first token is at an index. */
  startingAt(index: number): PlacedColumn | undefined {
    return this.#byStart.get(index);
  }

  /** The column whose last token is before an index. */
  endingAt(index: number): PlacedColumn | undefined {
    return this.#byEnd.get(index);
  }

  within({ start, end }: Stretch): PlacedColumn[] {
    return this.all.filter((placed) => placed.start >= start && placed.end <= end);
  }

  /** The column that a stretch is as a whole. */
  only({ start, end }: Stretch): UsedColumn | null {
    const placed = this.#byStart.get(start);
    return placed?.end === end ? placed.column : null;
  }

  /** The table of a source, where the schema has it and no common table expression hides it. */
  tableOf(source: QuerySource, scope: QueryScope): TableSchema | null {
    if (source.kind !== "name" || this.isCte(source, scope)) return null;
    return this.#tables.get(foldName(source.name)) ?? null;
  }

  isCte(source: QuerySource, scope: QueryScope): boolean {
    for (let frame: QueryFrame | null = scope.frame; frame !== null; frame = frame.outer) {
      if (frame.ctes.some(({ name }) => foldName(name) === foldName(source.name))) return true;
    }
    return false;
  }

  #read(index: number): PlacedColumn | null {
    const { tokens, scopeOf, aliasTokens } = this.#outline;
    const first = tokens[index] as Token;
    const scope = scopeOf[index] ?? null;
    if (!isName(first) || scope === null || aliasTokens.has(index)) return null;
    if (first.kind === "word" && isReserved(wordOf(first))) return null;
    if (NAMERS.has(wordOf(tokens[index - 1])) || tokens[index - 1]?.text === ".") return null;
    const next = tokens[index + 1];
    if (next?.text === "(") return null;
    if (next?.text === ".") return this.#qualified(index, scope);
    const column = this.#bare(nameOf(first), scope);
    return column === null ? null : { start: index, end: index + 1, column: { ...column, text: first.text } };
  }

  #qualified(index: number, scope: QueryScope): PlacedColumn | null {
    const { tokens } = this.#outline;
    const last = tokens[index + 2];
    if (!isName(last)) return null;
    const qualifier = foldName(nameOf(tokens[index] as Token));
    const name = nameOf(last as Token);
    const text = `${tokens[index]?.text}.${last?.text}`;
    for (let current: QueryScope | null = scope; current !== null; current = current.outer) {
      const place = current.sources.findIndex(
        (one) => foldName(one.alias === "" ? one.name : one.alias) === qualifier,
      );
      const source = current.sources[place];
      if (source === undefined) continue;
      const table = this.tableOf(source, current);
      const known = table?.columns.find((one) => foldName(one.name) === foldName(name));
      const column = {
        table: known === undefined ? null : (table?.name ?? null),
        column: known?.name ?? name,
        source: `${current.index}.${place}`,
        text,
      };
      return { start: index, end: index + 3, column };
    }
    return null;
  }

  /** A name without a qualifier: a column only where a table of its scopes has it. */
  #bare(name: string, scope: QueryScope): Omit<UsedColumn, "text"> | null {
    for (let current: QueryScope | null = scope; current !== null; current = current.outer) {
      for (const [place, source] of current.sources.entries()) {
        const table = this.tableOf(source, current);
        const column = table?.columns.find((one) => foldName(one.name) === foldName(name));
        if (table === null || column === undefined) continue;
        return { table: table.name, column: column.name, source: `${current.index}.${place}` };
      }
    }
    return null;
  }
}

/** Tokens that name what FROM reads. */
function sourceTokens({ scopes }: QueryOutline): ReadonlySet<number> {
  const tokens = new Set<number>();
  for (const { sources } of scopes) {
    for (const source of sources) {
      if (source.kind !== "name") continue;
      for (let index = source.start; index < source.end; index += 1) tokens.add(index);
    }
  }
  return tokens;
}
