/** Words before JOIN, and JOIN itself. */
export const JOIN_WORDS: ReadonlySet<string> = new Set([
  "join",
  "natural",
  "left",
  "right",
  "full",
  "inner",
  "outer",
  "cross",
]);

const RESERVED: ReadonlySet<string> = new Set([
  ...JOIN_WORDS,
  ..."select from where group by having order limit union intersect except all distinct as on using".split(
    " ",
  ),
  ..."and or not in is isnull notnull null like glob regexp match between exists escape".split(" "),
  ..."case when then else end cast collate asc desc values with indexed".split(" "),
  ..."current_date current_time current_timestamp".split(" "),
]);

/** Whether a word, in lower case, is part of the grammar wherever it stands bare in a query. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}

/** Words of the grammar that SQLite also takes, bare, for the name of a table. */
const NAMES_TOO: ReadonlySet<string> = new Set(
  "match like glob regexp cast asc desc end by current_date current_time current_timestamp".split(" "),
);

/** Whether a bare word, in lower case, can name a table. */
export function mayNameTable(word: string): boolean {
  return !RESERVED.has(word) || NAMES_TOO.has(word);
}

/** A name in lower case, in quotes where it could be read as something else. */
export function writtenName(name: string): string {
  const folded = name.toLowerCase();
  return /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(folded) && mayNameTable(folded) ? folded : `"${folded}"`;
}
