import type { DatabaseSchema } from "../core/database.ts";
import type { ShownTurn } from "../core/tool.ts";
import { withLiterals } from "../sql/clause-difference.ts";
import { clausesOf } from "../sql/clauses.ts";
import { tokenize } from "../sql/lexer.ts";
import type { ClauseItem } from "../sql/query-texts.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

/** How much of a dialogue is shown. */
export interface MemoryLimits {
  /** Of a line; a longer one ends in `…`. */
  readonly maxLineCharacters: number;
  /** Of the turns together: the oldest are left out first, the last turn never. */
  readonly maxCharacters: number;
}

/**
 * The earlier turns of a dialogue, the oldest first, and what `sql` says beside them. A turn is a line
 * `[turn 1 of 2]` and lines `question: …`, `sql: …` (`not known` where the history has none) and, as far as
 * there is something to tell, the entities and constraints that {@link clausesOf} finds: `tables`, `values`,
 * `with`, `output`, `joins`, `conditions`, `group by`, `having`, `order by`, `limit`, `set operations`, names
 * and keywords in lower case. The last block is `[this statement]`. What a turn holds stays on its lines.
 */
export function dialogueMemoryText(
  history: readonly ShownTurn[],
  sql: string,
  schema: DatabaseSchema,
  limits: MemoryLimits,
): string {
  const own = blockText(["[this statement]", ...parsedLines(sql, schema)], limits);
  const turns = history.map((turn, index) =>
    blockText([`[turn ${index + 1} of ${history.length}]`, ...turnLines(turn, schema)], limits),
  );
  const shown = latestFitting(turns, limits.maxCharacters);
  const missing = turns.length - shown.length;
  const notice = missing === 0 ? [] : [`[the oldest of them left out: ${missing}]`];
  return [...notice, ...shown, own].join("\n");
}

function turnLines({ question, sql }: ShownTurn, schema: DatabaseSchema): string[] {
  if (sql === null) return [`question: ${question}`, "sql: not known"];
  return [`question: ${question}`, `sql: ${withoutComments(sql)}`, ...parsedLines(sql, schema)];
}

function parsedLines(sql: string, schema: DatabaseSchema): string[] {
  const clauses = clausesOf(sql, schema);
  const order = clauses.orderBy.map((term) => `${withLiterals(term)}${term.isDescending ? " desc" : ""}`);
  const facts: readonly (readonly [string, string])[] = [
    ["tables", clauses.tables.join(", ")],
    ["values", [...new Set(clauses.literals)].join(", ")],
    ["with", listed(clauses.with)],
    [clauses.isDistinct ? "distinct output" : "output", listed(clauses.select)],
    ["joins", listed(clauses.joins)],
    ["conditions", listed(clauses.where)],
    ["group by", listed(clauses.groupBy)],
    ["having", listed(clauses.having)],
    ["order by", order.join("; ")],
    ["limit", clauses.limit === null ? "" : withLiterals(clauses.limit)],
    ["set operations", clauses.setOperations.join(", ")],
  ];
  const told = facts.filter(([, fact]) => fact !== "").map(([label, fact]) => `${label}: ${fact}`);
  return told.length === 0 ? ["no query was found in it"] : told;
}

function listed(items: readonly ClauseItem[]): string {
  return items.map(withLiterals).join("; ");
}

function blockText(lines: readonly string[], { maxLineCharacters }: MemoryLimits): string {
  const shown = lines.map((line) => oneLineText(shortenText(line.trim(), maxLineCharacters)));
  return escapeProtocolTags(shown.join("\n"));
}

/** The last texts that fit together; the last one always. */
function latestFitting(texts: readonly string[], maxCharacters: number): readonly string[] {
  let first = texts.length;
  let characters = 0;
  while (first > 0) {
    characters += (texts[first - 1]?.length ?? 0) + 1;
    if (characters > maxCharacters && first < texts.length) break;
    first -= 1;
  }
  return texts.slice(first);
}

/** A statement with a blank for each comment and each stretch of white space. */
function withoutComments(sql: string): string {
  return tokenize(sql)
    .map(({ kind, text }) => (kind === "space" || kind === "comment" ? " " : text))
    .join("")
    .replaceAll(/ {2,}/g, " ")
    .trim();
}
