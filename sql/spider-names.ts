import { SPIDER_ALL_COLUMNS } from "./spider-query.ts";

/** Tables and columns by name, in any case. */
export interface SpiderSchema {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** What the names in the tokens of one text stand for; all names are in lower case. */
export class SpiderNames {
  /** A table whose name the text gives to something else, which Spider's grammar refuses. */
  readonly tableUsedAsAlias: string | undefined;
  private readonly columns = new Map<string, ReadonlySet<string>>();
  /** Alias, or table name, to table name: one map for the whole text, the last `AS` of a name wins. */
  private readonly tables = new Map<string, string>();

  constructor(schema: SpiderSchema, tokens: readonly string[]) {
    for (const { name, columns } of schema.tables) {
      this.columns.set(name.toLowerCase(), new Set(columns.map((column) => column.toLowerCase())));
    }
    for (const [index, token] of tokens.entries()) {
      const alias = tokens[index + 1];
      const aliased = tokens[index - 1];
      if (token === "as" && alias !== undefined && aliased !== undefined) this.tables.set(alias, aliased);
    }
    this.tableUsedAsAlias = [...this.columns.keys()].find((table) => this.tables.has(table));
    for (const table of this.columns.keys()) this.tables.set(table, table);
  }

  /** The table of the schema that `token` names or is an alias of. */
  table(token: string): string | undefined {
    const table = this.tables.get(token);
    return table !== undefined && this.columns.has(table) ? table : undefined;
  }

  /**
   * `table.column` for a qualified name or for a bare one that a default table owns (the first of them that does),
   * `SPIDER_ALL_COLUMNS` for a star, undefined for anything else.
   */
  column(token: string, defaultTables: readonly string[]): string | undefined {
    if (token === SPIDER_ALL_COLUMNS) return SPIDER_ALL_COLUMNS;
    const [qualifier = "", name, ...more] = token.split(".");
    if (more.length > 0) return undefined;
    if (name === undefined) {
      const owner = defaultTables.find((table) => this.columns.get(table)?.has(token));
      return owner === undefined ? undefined : `${owner}.${token}`;
    }
    const table = this.table(qualifier);
    return table !== undefined && this.columns.get(table)?.has(name) === true
      ? `${table}.${name}`
      : undefined;
  }
}
