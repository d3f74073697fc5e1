import type { ToolSchema } from "../core/model.ts";
import { type ArgumentShapes, argumentSchema } from "./tool-arguments.ts";

/** A tool as models are told of it, apart from what it does: for the tool and for scaffolds that read its calls. */
export interface ToolDescription<S extends ArgumentShapes = ArgumentShapes> {
  /** Of the plug. */
  readonly id: string;
  readonly schema: ToolSchema;
  readonly shapes: S;
}

/** DualSQL: a statement, its rows as JSON. */
export const EXECUTE_SQL = described({
  id: "execute-sql-json",
  name: "execute_sql",
  description:
    "Runs one SQL statement on the SQLite database and returns JSON: the first rows as objects by column " +
    "name (a name that comes again gets _2, _3 and so on) and the number of rows in all. Long cells are cut. " +
    "Only statements that read are accepted: queries, sqlite_master, and PRAGMAs such as table_info(name); " +
    "what describes the schema is returned whole.",
  shapes: {
    sql: { kind: "text", isRequired: true, description: "The statement to run." },
  },
});

/** DualSQL: names and values that match. */
export const FULL_TEXT_SEARCH = described({
  id: "full-text-search",
  name: "full_text_search",
  description:
    "Looks for words in the names of tables and columns and in the text values of cells; spellings that are " +
    "near match too. Returns JSON: the matching tables and columns, and the best matching values of each column.",
  shapes: {
    query: {
      kind: "text",
      isRequired: true,
      description: "The words to look for; nothing in them is syntax.",
    },
    table: { kind: "text", isRequired: false, description: "Only in this table." },
    column: { kind: "text", isRequired: false, description: "Only in the column of this name." },
  },
});

/** DualSQL: what is known of tables and columns. */
export const DATABASE_PROFILER = described({
  id: "database-profiler",
  name: "database_profiler",
  description:
    "Returns JSON with what is known of a table and its columns: descriptions, rows, declared and stored " +
    "types, distinct values, the share of NULL, sample values, and foreign keys that the schema does not " +
    "declare but the data suggests.",
  shapes: {
    table: {
      kind: "text",
      isRequired: false,
      description: "The table to describe; all tables when left out.",
    },
    columns: {
      kind: "texts",
      isRequired: false,
      description: "The columns of that table to describe; all of them when left out.",
    },
  },
});

/** MTSQL-R1: a statement and its outcome. */
export const EXEC_SQL = described({
  id: "exec-sql",
  name: "exec_sql",
  description:
    "Runs one SQL statement on the SQLite database and returns the outcome (result, null result or error) " +
    "with the first rows or the error. Only statements that read are accepted.",
  shapes: {
    code: { kind: "text", isRequired: true, description: "The SQL statement to run." },
  },
});

/** MTSQL-R1: the earlier turns of a dialogue. */
export const MEMORY_RETRIEVE = described({
  id: "memory-retrieve",
  name: "memory_retrieve",
  description:
    "Returns the earlier questions of this dialogue with their SQL and what was parsed from it (tables, " +
    "values, conditions and other clauses), beside the same of the given statement.",
  shapes: {
    code: {
      kind: "text",
      isRequired: true,
      description: "The SQL statement to hold against the earlier turns.",
    },
  },
});

/** ReToolSQL: a statement, its rows as a table. */
export const SQLITE_QUERY = described({
  id: "sqlite-query",
  name: "sqlite_query",
  description:
    "Runs one SQL statement on the SQLite database, read-only, and returns the first rows as a table with " +
    "column names and the number of rows in all, or the error. PRAGMAs that describe the schema are accepted.",
  shapes: {
    sql: { kind: "text", isRequired: true, description: "The statement to run." },
  },
});

/** ReToolSQL: the profile of a column. */
export const SQLITE_PEEK = described({
  id: "sqlite-peek",
  name: "sqlite_peek",
  description:
    "Returns the profile of one column: its type and description, keys, rows, NULLs, distinct values, " +
    "smallest, largest and most frequent values.",
  shapes: {
    table: { kind: "text", isRequired: true, description: "The table that has the column." },
    column: { kind: "text", isRequired: true, description: "The column to look at." },
  },
});

/** ReToolSQL: values that match. */
export const BM25_SEARCH_SQLITE = described({
  id: "bm25-search-sqlite",
  name: "bm25_search_sqlite",
  description:
    "Looks for words in the text values of cells and returns the best matching values with their tables and " +
    "columns: to find how a value is really written.",
  shapes: {
    query: {
      kind: "text",
      isRequired: true,
      description: "The words to look for; nothing in them is syntax.",
    },
    table: { kind: "text", isRequired: false, description: "Only in this table." },
    column: { kind: "text", isRequired: false, description: "Only in the column of this name." },
  },
});

function described<const S extends ArgumentShapes>(tool: {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly shapes: S;
}): ToolDescription<S> {
  const { id, name, description, shapes } = tool;
  return { id, schema: { name, description, parameters: argumentSchema(shapes) }, shapes };
}
