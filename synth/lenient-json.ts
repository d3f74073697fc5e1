import type { Json } from "../core/key.ts";

/** JSON read from a text: its value and where it ends, or what is wrong and where. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json; readonly end: number; readonly isRepaired: boolean }
  | {
      readonly ok: false;
      readonly at: number;
      /** In words for who wrote it. */
      readonly problem: string;
      /** Whether the text ends before the value does. */
      readonly isCut: boolean;
    };

const MOST_LEVELS = 64;
const SPACE = /[\s\uFEFF]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const HEXADECIMAL = /[0-9a-fA-F]{4}/y;
const PLAIN = { '"': /[^"\\\p{Cc}]*/uy, "'": /[^'\\\p{Cc}]*/uy };
const WORDS: ReadonlyMap<string, { readonly value: Json; readonly isRepaired: boolean }> = new Map([
  ["true", { value: true, isRepaired: false }],
  ["false", { value: false, isRepaired: false }],
  ["null", { value: null, isRepaired: false }],
  ["True", { value: true, isRepaired: true }],
  ["False", { value: false, isRepaired: true }],
  ["None", { value: null, isRepaired: true }],
]);
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Reads the JSON value that begins at `start` (after white space), in time linear in what it reads. Slips
 * that leave one meaning are repaired: line ends and other control characters in a text, texts in single
 * quotes, `\'`, trailing commas, bare names as keys, Python's `True`, `False` and `None`, and ends of objects
 * and lists missing where `end` matches. All else is a problem: a quote within a text that is not escaped, an
 * object that has a key twice, more than 64 levels.
 */
export function readJson(text: string, start: number, end: RegExp | null = null): JsonReading {
  const reader = new JsonReader(text, start, end);
  try {
    const value = reader.value(0);
    return { ok: true, value, end: reader.at, isRepaired: reader.isRepaired };
  } catch (thrown) {
    if (!(thrown instanceof NotJson)) throw thrown;
    return { ok: false, at: thrown.at, problem: thrown.message, isCut: thrown.at >= text.length };
  }
}

/** Ends a reading; never leaves this file. */
class NotJson extends Error {
  readonly at: number;

  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}

class JsonReader {
  at: number;
  isRepaired = false;
  readonly #text: string;
  readonly #end: RegExp | null;

  constructor(text: string, start: number, end: RegExp | null) {
    this.#text = text;
    this.at = start;
    this.#end = end === null ? null : new RegExp(end.source, `${end.flags.replace(/[gy]/g, "")}y`);
  }

  value(level: number): Json {
    if (level > MOST_LEVELS) throw new NotJson(this.at, `it has more than ${MOST_LEVELS} levels`);
    this.#take(SPACE);
    const first = this.#text[this.at];
    if (first === "{") return this.#object(level);
    if (first === "[") return this.#list(level);
    if (first === '"' || first === "'") return this.#string(first);
    const number = this.#take(NUMBER);
    if (number !== "") return this.#finite(number);
    const start = this.at;
    const word = WORDS.get(this.#take(WORD));
    if (word === undefined) throw this.#expected("a value", start);
    this.isRepaired ||= word.isRepaired;
    return word.value;
  }

  #object(level: number): Json {
    const members = new Map<string, Json>();
    this.at += 1;
    while (!this.#closes("}")) {
      const start = this.at;
      const name = this.#key();
      if (members.has(name)) throw new NotJson(start, `it has ${JSON.stringify(name)} twice`);
      this.#take(SPACE);
      if (this.#text[this.at] !== ":") throw this.#expected("a colon after a key");
      this.at += 1;
      members.set(name, this.value(level + 1));
      this.#separator("}");
    }
    return Object.fromEntries(members);
  }

  #list(level: number): Json {
    const items: Json[] = [];
    this.at += 1;
    while (!this.#closes("]")) {
      items.push(this.value(level + 1));
      this.#separator("]");
    }
    return items;
  }

  #key(): string {
    const first = this.#text[this.at];
    if (first === '"' || first === "'") return this.#string(first);
    const word = this.#take(WORD);
    if (word === "") throw this.#expected("a key in double quotes");
    this.isRepaired = true;
    return word;
  }

  /** Whether the object or list ends here; its sign is taken, or found missing where the whole has to end. */
  #closes(sign: "}" | "]"): boolean {
    this.#take(SPACE);
    if (this.#text[this.at] === sign) {
      this.at += 1;
      return true;
    }
    if (!this.#isAtEnd()) return false;
    this.isRepaired = true;
    return true;
  }

  /** Takes a comma; nothing before the sign that closes. A comma before that sign is a slip. */
  #separator(sign: "}" | "]"): void {
    this.#take(SPACE);
    const next = this.#text[this.at];
    if (next === sign || this.#isAtEnd()) return;
    if (next !== ",") throw this.#expected(`a comma or ${sign}`);
    this.at += 1;
    this.#take(SPACE);
    if (this.#text[this.at] === sign || this.#isAtEnd()) this.isRepaired = true;
  }

  #isAtEnd(): boolean {
    if (this.#end === null) return false;
    this.#end.lastIndex = this.at;
    return this.#end.test(this.#text);
  }

  #string(quote: '"' | "'"): string {
    if (quote === "'") this.isRepaired = true;
    const parts: string[] = [];
    this.at += 1;
    for (;;) {
      parts.push(this.#take(PLAIN[quote]));
      const next = this.#text[this.at];
      if (next === undefined) throw new NotJson(this.at, "a text in it does not end");
      this.at += 1;
      if (next === quote) return parts.join("");
      if (next === "\\") parts.push(this.#escape());
      else {
        parts.push(next);
        this.isRepaired ||= next < " ";
      }
    }
  }

  /** The character that an escape stands for, its backslash taken. */
  #escape(): string {
    const sign = this.#text[this.at];
    if (sign === undefined) throw new NotJson(this.at, "a text in it does not end");
    this.at += 1;
    if (sign === "u") {
      const digits = this.#take(HEXADECIMAL);
      if (digits === "") throw this.#expected("four hexadecimal digits after \\u");
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (sign === "'") {
      this.isRepaired = true;
      return sign;
    }
    const meant = ESCAPES[sign];
    if (meant === undefined) {
      throw new NotJson(
        this.at - 2,
        `${JSON.stringify(`\\${sign}`)} is no escape: write a backslash as \\\\`,
      );
    }
    return meant;
  }

  #finite(digits: string): number {
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new NotJson(this.at, "a number in it is too large");
    return value;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const taken = pattern.exec(this.#text)?.[0] ?? "";
    this.at += taken.length;
    return taken;
  }

  #expected(what: string, at = this.at): NotJson {
    const got = this.#text.slice(at, at + 20);
    if (got === "") return new NotJson(this.#text.length, `it ends where ${what} is expected`);
    const isInText = this.#text[at - 1] === '"';
    const hint = isInText ? ' (a double quote within a text is written \\")' : "";
    return new NotJson(at, `expected ${what}, got ${JSON.stringify(got)}${hint}`);
  }
}
