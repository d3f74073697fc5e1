import { nameOf, significantTokens, type Token } from "../sql/lexer.ts";

const QUERY = /^\s*(?:select|with|pragma|explain|values)\b/i;

/** The tables that FROM and JOIN name, by the alias that stands for them. */
function aliasesOf(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (let index = 0; index < tokens.length - 2; index += 1) {
    const word = folded(tokens[index]);
    if (word !== "from" && word !== "join" && word !== ",") continue;
    const table = tokens[index + 1] as Token;
    if (!isName(table)) continue;
    const next = folded(tokens[index + 2]) === "as" ? tokens[index + 3] : tokens[index + 2];
    if (next === undefined || !isName(next) || RESERVED.has(folded(next))) continue;
    if (word === "," && folded(tokens[index + 2]) !== "as") continue;
    aliases.set(folded(next), folded(table));
  }
  return aliases;
}

const RESERVED: ReadonlySet<string> = new Set(
  "on where group order limit join inner left right cross natural union intersect except having using as set and or".split(
    " ",
  ),
);

/** Words without which a query means the same here. */
const SILENT: ReadonlySet<string> = new Set(["as", "inner", "outer", "asc", ";"]);

/**
 * The features of a text: of a line of SQL its tokens, folded, its aliases replaced by their tables and left out as
 * qualifiers where nothing else tells, each with its neighbour and with the clause it stands in; of any other line its words.
 */
export function textFeatures(text: string): string[] {
  return text.split("\n").flatMap((line) => (QUERY.test(line) ? queryFeatures(line) : wordFeatures(line)));
}

function queryFeatures(sql: string): string[] {
  const words = queryWords(sql);
  const features: string[] = [];
  let clause = "select";
  for (const [index, word] of words.entries()) {
    if (CLAUSES.has(word)) clause = word;
    features.push(word, `${clause}>${word}`, `${words[index - 1] ?? "^"} ${word}`);
  }
  return features;
}

const CLAUSES: ReadonlySet<string> = new Set(
  "select from where group having order limit union intersect except on".split(" "),
);

/** The words of a query: lower case, without qualifiers, aliases and silent words. */
function queryWords(sql: string): string[] {
  const tokens = significantTokens(sql);
  const aliases = aliasesOf(tokens);
  const words: string[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    const next = tokens[index + 1];
    if (isName(token) && next?.text === ".") {
      index += 1;
      continue;
    }
    const word = folded(token);
    if (SILENT.has(word)) continue;
    if (isName(token) && aliases.has(word)) continue;
    words.push(word);
  }
  return words;
}

function wordFeatures(line: string): string[] {
  const words = line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.flatMap((word, index) => [word, `${words[index - 1] ?? "^"} ${word}`]);
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === "word" || token?.kind === "quoted-identifier";
}

function folded(token: Token | undefined): string {
  if (token === undefined) return "";
  return token.kind === "string" ? `'${nameOf(token)}'` : nameOf(token).toLowerCase();
}
