import { GradusError } from "../../core/errors.ts";

const LONGEST_CHAIN = 6;

/** A key that came from an environment variable, and the means to keep it out of everything that is printed. */
export class Secret {
  readonly #value: string | null;
  readonly #spellings: readonly string[];
  /** The name of the variable; `null` for a server that needs no key. */
  readonly variable: string | null;

  /**
   * Reads the key from the environment, without white space around it.
   * @throws MODEL_KEY_MISSING when the variable is not set or empty, MODEL_KEY_INVALID when a header cannot carry it.
   */
  constructor(variable: string | null, environment: NodeJS.ProcessEnv = process.env) {
    this.variable = variable;
    this.#value = variable === null ? null : readKey(variable, environment);
    this.#spellings = this.#value === null ? [] : spellingsOf(this.#value);
  }

  /** Hands the key to the one library that sends it. */
  reveal(): string | null {
    return this.#value;
  }

  /** `text` with every spelling of the key replaced by the name of its variable. */
  clean(text: string): string {
    let cleaned = text;
    for (const spelling of this.#spellings) {
      if (cleaned.includes(spelling)) cleaned = cleaned.replaceAll(spelling, `[${this.variable}]`);
    }
    return cleaned;
  }

  /** The first `longest` characters of `text` on one line, cleaned before they are cut. */
  excerpt(text: string, longest = 300): string {
    const line = this.clean(text).replace(/\s+/g, " ").trim();
    return line.length <= longest ? line : `${line.slice(0, longest)}…`;
  }

  /**
   * A copy of an error made elsewhere: name, code, message and causes only, all cleaned. Errors of HTTP
   * libraries carry headers and requests, which may hold the key.
   */
  cleanError(thrown: unknown): Error {
    return this.#copy(thrown, LONGEST_CHAIN);
  }

  #copy(thrown: unknown, depth: number): Error {
    if (!(thrown instanceof Error)) return new Error(this.excerpt(String(thrown)));
    const cause =
      depth > 1 && thrown.cause !== undefined && thrown.cause !== null
        ? this.#copy(thrown.cause, depth - 1)
        : undefined;
    const details = cause === undefined ? {} : { cause };
    if (thrown instanceof GradusError) {
      return new GradusError(thrown.code, this.clean(thrown.message), {
        site: thrown.site,
        ...(thrown.hint === undefined ? {} : { hint: this.clean(thrown.hint) }),
        ...details,
      });
    }
    const copy = new Error(this.excerpt(thrown.message, 1000), details);
    copy.name = this.excerpt(thrown.name, 100);
    return copy;
  }
}

function readKey(variable: string, environment: NodeJS.ProcessEnv): string {
  const value = environment[variable]?.trim();
  if (value === undefined || value === "") {
    throw new GradusError("MODEL_KEY_MISSING", `the environment variable ${variable} is not set or empty`, {
      hint: `put the key of the server into ${variable}`,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new GradusError(
      "MODEL_KEY_INVALID",
      `the environment variable ${variable} holds characters that no key has (spaces, line ends or non-ASCII)`,
      { hint: `check the value of ${variable}: only one key, on one line` },
    );
  }
  return value;
}

function spellingsOf(value: string): string[] {
  const spellings = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString("base64"),
  ];
  return [...new Set(spellings)];
}
