import { definePredictionFormat } from "../../core/prediction-format.ts";
import { messageOf } from "../../core/errors.ts";
import { readText } from "../../io/files.ts";
import { emptyRow, malformed, splitBirdSuffix } from "../prediction-fields.ts";

const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const SCALAR = /(?:true|false|null|-?\d[\d.eE+-]*)/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * BIRD's `{"0": "SQL\t----- bird -----\tdatabase"}`, with or without the suffix. A key is the question's
 * 0-based place in the dataset; the order of the file means nothing. A value that is no string is no
 * answer. Repeated keys come as repeated rows.
 */
export default definePredictionFormat({
  id: "bird-json",
  version: 1,
  recognises: (fileName, head) => /\.json$/i.test(fileName) && /^\s*\{\s*("\d+"\s*:|\}|$)/.test(head),
  async *read(path) {
    const scanner = new Scanner(path, await readText(path));
    scanner.expect("{");
    for (let position = 0; !scanner.accept("}"); position += 1) {
      if (position > 0) scanner.expect(",");
      const key = scanner.string();
      if (!/^(0|[1-9]\d*)$/.test(key)) {
        throw scanner.malformed(`has the key ${JSON.stringify(key)}, expected a question's place, from 0`);
      }
      scanner.expect(":");
      const value = scanner.value();
      const answer = value === null ? { sql: null, databaseId: null } : splitBirdSuffix(value);
      yield { ...emptyRow(position), ...answer, key, keyKind: "position", sampleIndex: 0 };
    }
    scanner.end();
  },
});

/** Reads a flat JSON object member by member, so that a repeated key is not lost. */
class Scanner {
  readonly #file: string;
  readonly #text: string;
  #at = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  accept(character: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  expect(character: string): void {
    if (!this.accept(character)) throw this.malformed(`has ${this.#here()}, expected ${character}`);
  }

  string(): string {
    this.#take(SPACE);
    const literal = this.#take(STRING);
    if (literal === null) throw this.malformed(`has ${this.#here()}, expected a string`);
    try {
      return JSON.parse(literal) as string;
    } catch (thrown) {
      throw this.malformed(`has a string that is not JSON (${messageOf(thrown)})`, thrown);
    }
  }

  /** A string, or `null` for another scalar. */
  value(): string | null {
    this.#take(SPACE);
    return this.#take(SCALAR) === null ? this.string() : null;
  }

  end(): void {
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw this.malformed(`has ${this.#here()} after the object`);
  }

  malformed(problem: string, cause?: unknown): Error {
    let line = 1;
    for (
      let at = this.#text.indexOf("\n");
      at !== -1 && at < this.#at;
      at = this.#text.indexOf("\n", at + 1)
    ) {
      line += 1;
    }
    return malformed(this.#file, line, problem, cause);
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += taken?.length ?? 0;
    return taken;
  }

  #here(): string {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    return rest === "" ? "its end" : JSON.stringify(rest);
  }
}
