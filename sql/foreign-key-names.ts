import type { InferredForeignKey } from "../core/database-profile.ts";
import { nameWords, wordStem } from "./name-words.ts";

/** A table's column by the words of their names. */
export interface NamedColumn {
  readonly table: string;
  readonly tableWords: readonly string[];
  readonly columnWords: readonly string[];
}

export interface KeyNames {
  readonly rule: InferredForeignKey["evidence"]["names"];
  /** The surer the smaller. */
  readonly rank: number;
}

/** Last words of a name that say that it is a key. */
const KEY_WORDS: ReadonlySet<string> = new Set([
  "id",
  "ids",
  "key",
  "fk",
  "ref",
  "code",
  "no",
  "nr",
  "num",
  "number",
  "uid",
  "uuid",
]);

/** Names that say only that a row has a key: every table may have them. */
const ROW_NAMES: ReadonlySet<string> = new Set([
  "id",
  "key",
  "code",
  "no",
  "nr",
  "num",
  "number",
  "index",
  "uid",
]);

/** Names of things that rows of many tables have without being the same thing, unless they are a primary key. */
const COMMON_NAMES: ReadonlySet<string> = new Set(
  (
    "amount category comment count date day description gender label language level location month name " +
    "note order position price rank score size state status text time title total type unit url value version year"
  ).split(" "),
);

/** The shortest word that a table's name may only end in, as in `hero_id` for `superhero`. */
const MIN_ENDING = 4;

/** The words of a column's and its table's name, plural and singular alike. */
export function namedColumn(table: string, column: string): NamedColumn {
  return { table, tableWords: words(table), columnWords: words(column) };
}

/**
 * The rule of names by which `from` can be a key to `to`; `null` where none holds. `same_name`: the name of the
 * column, or one that ends in it (`home_team_id`, `team_id`). `table_and_column`: it ends in the table's and
 * the column's name (`eye_colour_id`, `colour` and `id`). `table_name`: it ends in the table's name, perhaps
 * before a word for a key (`link_to_event`; `hero_id` for `superhero`), for a table's primary key only.
 */
export function keyNames(from: NamedColumn, to: NamedColumn, isPrimaryKey: boolean): KeyNames | null {
  const { columnWords: column } = from;
  const { tableWords: table, columnWords: referenced } = to;
  const isOwnTable = from.table === to.table;
  const both = [...table, ...referenced];
  if (isSuffix(both, column) && !(isOwnTable && both.length === column.length)) {
    return { rule: "table_and_column", rank: 0 };
  }
  if (!isOwnTable && column.join("") === both.join("")) return { rule: "table_and_column", rank: 0 };
  if (!isOwnTable && isSame(referenced, column) && saysWhat(referenced, isPrimaryKey)) {
    return { rule: "same_name", rank: 1 };
  }
  if (referenced.length > 1 && column.length > referenced.length && isSuffix(referenced, column)) {
    return { rule: "same_name", rank: 2 };
  }
  return isPrimaryKey ? tableName(column, table, isOwnTable) : null;
}

function tableName(
  column: readonly string[],
  table: readonly string[],
  isOwnTable: boolean,
): KeyNames | null {
  const isKey = KEY_WORDS.has(column.at(-1) ?? "");
  const stem = isKey ? column.slice(0, -1) : column;
  if (isSuffix(table, stem) && !(isOwnTable && table.length === stem.length)) {
    return { rule: "table_name", rank: 3 };
  }
  const [word = ""] = stem;
  const isEnding = isKey && !isOwnTable && stem.length === 1 && word.length >= MIN_ENDING;
  return isEnding && table.join("").endsWith(word) ? { rule: "table_name", rank: 4 } : null;
}

function saysWhat(name: readonly string[], isPrimaryKey: boolean): boolean {
  if (name.length !== 1) return true;
  const [word = ""] = name;
  return !ROW_NAMES.has(word) && (isPrimaryKey || !COMMON_NAMES.has(word));
}

function words(name: string): string[] {
  return nameWords(name).map(wordStem);
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length > 0 && left.length === right.length && isSuffix(left, right);
}

/** Whether `whole` ends in `part`, which is not empty. */
function isSuffix(part: readonly string[], whole: readonly string[]): boolean {
  const offset = whole.length - part.length;
  return part.length > 0 && offset >= 0 && part.every((word, index) => word === whole[offset + index]);
}
