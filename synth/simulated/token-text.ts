import { tokenize } from "../../sql/lexer.ts";
import type { Token } from "../../sql/lexer.ts";

/** A significant token with its place among the significant ones and its depth in parentheses. */
export interface PlacedToken {
  readonly place: number;
  readonly token: Token;
  /** The text in lower case, for words; else the text. */
  readonly word: string;
  readonly depth: number;
}

/** A stretch of SQL, by places of significant tokens: `to` is not part of it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** An SQL text as a list of its significant tokens, to be changed a stretch at a time. */
export class TokenText {
  readonly tokens: readonly PlacedToken[];
  readonly #sql: string;

  constructor(sql: string) {
    this.#sql = sql;
    const placed: PlacedToken[] = [];
    let depth = 0;
    for (const token of tokenize(sql)) {
      if (token.kind === "space" || token.kind === "comment") continue;
      if (token.text === ")") depth -= 1;
      const word = token.kind === "word" ? token.text.toLowerCase() : token.text;
      placed.push({ place: placed.length, token, word, depth });
      if (token.text === "(") depth += 1;
    }
    this.tokens = placed;
  }

  at(place: number): PlacedToken | undefined {
    return this.tokens[place];
  }

  /** The tokens that are one of these words, bare. */
  words(...wanted: readonly string[]): PlacedToken[] {
    return this.tokens.filter(({ token, word }) => token.kind === "word" && wanted.includes(word));
  }

  /** The first place from `from` on with one of these words at `depth`, or where that depth ends. */
  endOf(from: number, depth: number, ends: ReadonlySet<string>): number {
    for (let place = from; place < this.tokens.length; place += 1) {
      const placed = this.tokens[place];
      if (placed === undefined || placed.depth < depth || placed.word === ";") return place;
      if (placed.depth === depth && ends.has(placed.word)) return place;
    }
    return this.tokens.length;
  }

  /** The SQL with a stretch replaced; an empty replacement takes the space before it along. */
  replace({ from, to }: Stretch, text: string): string {
    const start = this.tokens[from]?.token.start ?? this.#sql.length;
    const end = to > from ? (this.tokens[to - 1]?.token.end ?? this.#sql.length) : start;
    const before = this.#sql.slice(0, start);
    const after = this.#sql.slice(end);
    return text === "" ? `${before.trimEnd()} ${after.trimStart()}`.trim() : `${before}${text}${after}`;
  }

  /** The SQL with text put before a place, set off by a space. */
  insert(place: number, text: string): string {
    const start = this.tokens[place]?.token.start;
    if (start === undefined) return `${this.#sql.trimEnd()} ${text}`;
    return `${this.#sql.slice(0, start)}${text} ${this.#sql.slice(start)}`;
  }
}
