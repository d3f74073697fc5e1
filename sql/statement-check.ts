import { nameOf, significantTokens } from "./lexer.ts";
import type { Token } from "./lexer.ts";

/** `query` admits reading statements; `explore` also admits the PRAGMAs that describe a schema. */
export type StatementMode = "query" | "explore";

export type StatementKind = "select" | "values" | "with" | "pragma" | "explain" | "empty";

export type StatementRefusal =
  | "multiple_statements"
  | "not_a_query"
  | "pragma_not_allowed"
  | "nul_character"
  | "too_long"
  | "unterminated";

export type StatementCheck =
  | { readonly ok: true; readonly kind: StatementKind }
  | { readonly ok: false; readonly reason: StatementRefusal; readonly message: string };

/** The longest statement that is checked unless told otherwise, in UTF-16 code units. */
export const DEFAULT_MAX_STATEMENT_CHARACTERS = 1_000_000;

const EXPLORING_PRAGMAS: ReadonlySet<string> = new Set([
  "table_info",
  "table_xinfo",
  "table_list",
  "foreign_key_list",
  "index_list",
  "index_info",
]);

/** The PRAGMA that also reads without an argument. */
const ARGUMENTLESS_PRAGMA = "table_list";

const SCHEMA_TABLES: ReadonlySet<string> = new Set([
  "sqlite_master",
  "sqlite_schema",
  "sqlite_temp_master",
  "sqlite_temp_schema",
]);

const QUOTED_CHARACTERS = 40;

/**
 * Whether `sql` is one statement that only reads, decided from its tokens before any engine sees it.
 *
 * What counts as one statement is what Python's `sqlite3.Cursor.execute` accepts: `;` before the statement are
 * skipped, and after its own `;` only white space and comments may follow. A text without any statement is `empty`: it
 * executes and yields no rows. In mode `explore` the schema-describing PRAGMAs pass, called with one argument (a name
 * or a string; `table_list` also without), at most with the schema prefix `main.`, never assigned nor explained.
 *
 * @param maxCharacters - in UTF-16 code units
 */
export function checkStatement(
  sql: string,
  mode: StatementMode,
  maxCharacters: number = DEFAULT_MAX_STATEMENT_CHARACTERS,
): StatementCheck {
  if (sql.length > maxCharacters) {
    return refuse(
      "too_long",
      `The statement has ${sql.length} characters; at most ${maxCharacters} are accepted.`,
    );
  }
  const nul = sql.indexOf("\0");
  if (nul !== -1) {
    return refuse("nul_character", `The statement has a NUL character at offset ${nul}; none is accepted.`);
  }
  const tokens = significantTokens(sql);
  const first = tokens.findIndex((token) => token.text !== ";");
  if (first === -1) return { ok: true, kind: "empty" };
  const terminator = tokens.findIndex((token, index) => index > first && token.text === ";");
  const ending = tokens[terminator]?.end;
  if (ending !== undefined && !isBlankTail(sql, ending)) {
    return refuse(
      "multiple_statements",
      `One statement is accepted, but after its ";" comes ${quoted(sql.slice(ending).trimStart())}.`,
    );
  }
  const statement = tokens.slice(first, terminator === -1 ? tokens.length : terminator);
  const open = statement.find((token) => token.kind === "unterminated");
  if (open !== undefined) {
    return refuse("unterminated", `${quoted(open.text)} at offset ${open.start} has no closing quote.`);
  }
  return classify(statement, mode);
}

/**
 * Whether `sql` looks at the schema instead of the data: it names a schema table (`sqlite_master`, `sqlite_schema` or
 * their temporary twins) or the table form of a schema-describing PRAGMA, or it is a PRAGMA itself.
 */
export function selectsFromSchemaTable(sql: string): boolean {
  const tokens = significantTokens(sql).filter((token) => token.text !== ";");
  if (keywordOf(tokens[afterExplain(tokens)]) === "pragma") return true;
  return tokens.some((token, index) => {
    if (!isName(token)) return false;
    if (token.kind === "string" && !namesTable(tokens[index - 1])) return false;
    const name = nameOf(token).toLowerCase();
    return (
      SCHEMA_TABLES.has(name) ||
      (name.startsWith("pragma_") && EXPLORING_PRAGMAS.has(name.slice("pragma_".length)))
    );
  });
}

function classify(statement: readonly Token[], mode: StatementMode): StatementCheck {
  const verb = keywordOf(statement[0]);
  if (verb === "pragma") return classifyPragma(statement, mode);
  const queryStart = afterExplain(statement);
  const explained = statement[queryStart];
  if (verb === "explain" && keywordOf(explained) === "pragma") {
    return refuse(
      "pragma_not_allowed",
      "EXPLAIN of a PRAGMA is not accepted; only a query can be explained.",
    );
  }
  const kind = queryKind(statement, queryStart);
  if (kind === undefined) {
    return refuse(
      "not_a_query",
      `A reading statement (SELECT, VALUES, WITH ... SELECT, or EXPLAIN of one) is accepted, got one that begins ${quoted(
        statement.map((token) => token.text).join(" "),
      )}.`,
    );
  }
  return { ok: true, kind: verb === "explain" ? "explain" : kind };
}

function queryKind(statement: readonly Token[], start: number): "select" | "values" | "with" | undefined {
  const verb = keywordOf(statement[start]);
  if (verb === "select" || verb === "values") return verb;
  if (verb !== "with") return undefined;
  const mainVerb = keywordOf(statement[afterCommonTables(statement, start + 1)]);
  return mainVerb === "select" || mainVerb === "values" ? "with" : undefined;
}

/** The index after `EXPLAIN` or `EXPLAIN QUERY PLAN`, 0 without either. */
function afterExplain(tokens: readonly Token[]): number {
  if (keywordOf(tokens[0]) !== "explain") return 0;
  return keywordOf(tokens[1]) === "query" && keywordOf(tokens[2]) === "plan" ? 3 : 1;
}

/**
 * The index of the verb after the list `name [(columns)] AS [[NOT] MATERIALIZED] (query), ...` that begins at `start`;
 * the number of tokens where the list is malformed.
 */
function afterCommonTables(tokens: readonly Token[], start: number): number {
  const malformed = tokens.length;
  let index = keywordOf(tokens[start]) === "recursive" ? start + 1 : start;
  for (;;) {
    if (!isName(tokens[index])) return malformed;
    index += 1;
    if (tokens[index]?.text === "(") index = afterGroup(tokens, index);
    if (keywordOf(tokens[index]) !== "as") return malformed;
    index += 1;
    if (keywordOf(tokens[index]) === "not") index += 1;
    if (keywordOf(tokens[index]) === "materialized") index += 1;
    if (tokens[index]?.text !== "(") return malformed;
    index = afterGroup(tokens, index);
    if (tokens[index]?.text !== ",") return index;
    index += 1;
  }
}

/** The index after the parenthesis that closes the one at `start`. */
function afterGroup(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index += 1) {
    const text = tokens[index]?.text;
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return tokens.length;
}

function classifyPragma(statement: readonly Token[], mode: StatementMode): StatementCheck {
  if (mode === "query") {
    return refuse(
      "pragma_not_allowed",
      "A PRAGMA is not a query; only statements that read data are accepted here.",
    );
  }
  const prefixed = keywordOf(statement[1]) === "main" && statement[2]?.text === ".";
  const [name, ...rest] = statement.slice(prefixed ? 3 : 1);
  const pragma = keywordOf(name);
  const [open, argument, close] = rest;
  const hasOneArgument = rest.length === 3 && open?.text === "(" && isName(argument) && close?.text === ")";
  const hasNoArgument = rest.length === 0 && pragma === ARGUMENTLESS_PRAGMA;
  if (pragma !== undefined && EXPLORING_PRAGMAS.has(pragma) && (hasOneArgument || hasNoArgument)) {
    return { ok: true, kind: "pragma" };
  }
  return refuse(
    "pragma_not_allowed",
    `Only PRAGMA ${[...EXPLORING_PRAGMAS].join(", ")} with one name in parentheses are accepted, got ${quoted(
      statement.map((token) => token.text).join(" "),
    )}.`,
  );
}

/** Whether only white space and comments follow `start`, as Python's sqlite3 looks for a second statement. */
function isBlankTail(sql: string, start: number): boolean {
  let index = start;
  while (index < sql.length) {
    if (" \t\n\f\r".includes(sql.charAt(index))) {
      index += 1;
    } else if (sql.startsWith("--", index)) {
      const end = sql.indexOf("\n", index);
      if (end === -1) return true;
      index = end + 1;
    } else if (sql.startsWith("/*", index)) {
      const end = sql.indexOf("*/", index + 2);
      if (end === -1) return true;
      index = end + 2;
    } else {
      return false;
    }
  }
  return true;
}

function keywordOf(token: Token | undefined): string | undefined {
  return token?.kind === "word" ? token.text.toLowerCase() : undefined;
}

function isName(token: Token | undefined): boolean {
  return token?.kind === "word" || token?.kind === "quoted-identifier" || token?.kind === "string";
}

/** Whether a string literal after `previous` stands where SQLite takes it for a table name. */
function namesTable(previous: Token | undefined): boolean {
  const keyword = keywordOf(previous);
  return keyword === "from" || keyword === "join" || previous?.text === ".";
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}...` : text);
}

function refuse(reason: StatementRefusal, message: string): StatementCheck {
  return { ok: false, reason, message };
}
