const MAX_TYPE_LENGTH = 60;
const MAX_IDENTIFIER_LENGTH = 256;
const CUT = "...";

/** SQLite's keywords: as a name, each needs quotes in some place or reads like syntax to a person. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between by
  cascade case cast check collate column commit conflict constraint create cross current current_date
  current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each
  else end escape except exclude exclusive exists explain fail filter first following for foreign from full
  generated glob group groups having if ignore immediate in index indexed initially inner insert instead
  intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null
  nulls of offset on or order others outer over partition plan pragma preceding primary query raise range
  recursive references regexp reindex release rename replace restrict returning right rollback row rows
  savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using
  vacuum values view virtual when where window with without`.split(/\s+/),
);

/** A name as SQL: in backquotes unless it is a plain word and no keyword; on one line, cut at 256 UTF-16 units. */
export function identifier(name: string): string {
  const text = cutText(visibleText(name), MAX_IDENTIFIER_LENGTH);
  return isPlainName(name) ? text : `\`${text.replaceAll("`", "``")}\``;
}

function isPlainName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name.length <= MAX_IDENTIFIER_LENGTH && !isKeyword(name);
}

/** The declared type as written where SQLite could have read it; else only its words, at most 60 UTF-16 units. */
export function typeText(type: string): string {
  const text = type.trim().replace(/\s+/g, " ");
  const words = text.match(/[A-Za-z_]\w*/g) ?? [];
  const isType = /^[A-Za-z_][\w ]*(\([+-]?\d+( ?, ?[+-]?\d+)?\))?$/.test(text);
  if (isType && text.length <= MAX_TYPE_LENGTH && !words.some(isKeyword)) return text;
  return cutText(words.filter((word) => !isKeyword(word)).join(" "), MAX_TYPE_LENGTH, "");
}

function isKeyword(word: string): boolean {
  return KEYWORDS.has(word.toLowerCase());
}

/** A comment on one line, without white space around it, at most `maxLength` UTF-16 units before its cut. */
export function commentText(comment: string, maxLength: number): string {
  return cutText(visibleText(comment.replace(/\s+/g, " ").trim()), maxLength);
}

/** A value as SQL on one line: a number as it is, unless the column holds text; anything else in quotes. */
export function valueText(value: string, isTextColumn: boolean, maxLength: number): string {
  const isNumber = !isTextColumn && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value);
  const text = cutText(visibleText(value), maxLength);
  return isNumber ? text : `'${text.replaceAll("'", "''")}'`;
}

/** SQLite's rule for TEXT affinity. */
export function holdsText(type: string): boolean {
  return !/int/i.test(type) && /char|clob|text/i.test(type);
}

/** Control, formatting and separator characters as escapes; the brackets of chat markers (`<|`, `|>`) apart. */
export function visibleText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeOf)
    .replaceAll("<|", "< |")
    .replaceAll("|>", "| >");
}

/** Text with the `<` of whatever could be a tag as an escape: directly before a letter, or before a slash or bar. */
export function withoutTags(text: string): string {
  return text.replace(/<(?=\p{L}|\s*[/|\uFF5C])/gu, String.raw`\u{3c}`);
}

function escapeOf(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** At most `length` UTF-16 units, never half a character, then the mark. */
export function cutText(text: string, length: number, mark: string = CUT): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`;
}

/** Whether two names are one to SQLite. */
export function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
