import type { StatementMode } from "../sql/statement-check.ts";
import type { SqlAuthorizer } from "./sql-driver.ts";

const ALLOW = 0;
const REFUSE = 1;

const ACTION_PRAGMA = 19;
const ACTION_READ = 20;
const ACTION_SELECT = 21;
const ACTION_FUNCTION = 31;
const ACTION_RECURSIVE = 33;

const EXPLORING_PRAGMAS: ReadonlySet<string> = new Set([
  "table_info",
  "table_xinfo",
  "table_list",
  "foreign_key_list",
  "index_list",
  "index_info",
]);

/** Read without an argument by the full-text modules themselves when one of their tables is opened. */
const MODULE_PRAGMAS: ReadonlySet<string> = new Set(["page_size", "data_version"]);

const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set(["load_extension", "fts3_tokenizer", "sqlite_log"]);

const REFUSED_TABLES: ReadonlySet<string> = new Set([
  "sqlite_dbpage",
  "sqlite_stmt",
  "bytecode",
  "tables_used",
]);

/** Functions that can put a NUL into text that has none. */
const NUL_FUNCTIONS: ReadonlySet<string> = new Set([
  "char",
  "unhex",
  "unistr",
  "randomblob",
  "zeroblob",
  "->",
  "->>",
]);

/** What a statement asked for while it was prepared and run. */
export class AccessLog {
  /** What was refused, for a person; empty when nothing was. */
  refused = "";
  /** Tables and columns read: table, column, table, column, … */
  reads: string[] = [];
  /** Whether it calls something that can make text with a NUL. */
  makesNul = false;

  clear(): void {
    this.refused = "";
    this.reads = [];
    this.makesNul = false;
  }
}

/**
 * An authorizer that allows reading and nothing else, and logs what is read. In mode `explore` it also allows
 * the PRAGMAs that describe a schema and their table forms, by exact name.
 */
export function createAuthorizer(mode: StatementMode, log: AccessLog): SqlAuthorizer {
  const exploring = mode === "explore";
  const refuse = (what: string): number => {
    log.refused = what;
    return REFUSE;
  };
  return (action, first, second) => {
    switch (action) {
      case ACTION_SELECT:
      case ACTION_RECURSIVE:
        return ALLOW;
      case ACTION_READ: {
        const table = first ?? "";
        if (!mayRead(table, exploring)) return refuse(`reading ${table} is not allowed`);
        log.reads.push(table, second ?? "");
        return ALLOW;
      }
      case ACTION_FUNCTION: {
        const name = (second ?? "").toLowerCase();
        if (REFUSED_FUNCTIONS.has(name)) return refuse(`the function ${name} is not allowed`);
        if (NUL_FUNCTIONS.has(name) || name.startsWith("json")) log.makesNul = true;
        return ALLOW;
      }
      case ACTION_PRAGMA: {
        const name = (first ?? "").toLowerCase();
        if (exploring && EXPLORING_PRAGMAS.has(name)) return ALLOW;
        if (second === null && MODULE_PRAGMAS.has(name)) return ALLOW;
        return refuse(`PRAGMA ${name} is not allowed`);
      }
      default:
        return refuse("only reading is allowed");
    }
  };
}

function mayRead(table: string, exploring: boolean): boolean {
  const name = table.toLowerCase();
  if (REFUSED_TABLES.has(name)) return false;
  if (!name.startsWith("pragma_")) return true;
  return exploring && EXPLORING_PRAGMAS.has(name.slice("pragma_".length));
}
