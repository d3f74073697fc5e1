import { createReadStream } from "node:fs";
import { GradusError, messageOf } from "../core/errors.ts";
import { RowDigest } from "../core/key.ts";
import { fileError } from "./files.ts";
import { LineWriter } from "./line-writer.ts";

/**
 * The lines of a UTF-8 text file with their 1-based numbers, in bounded memory. Lines end at `\n` or
 * `\r\n`. Throws FILE_MISSING, FILE_FORBIDDEN, FILE_FAILED.
 */
export async function* readLines(file: string): AsyncGenerator<{ text: string; line: number }> {
  const stream = createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 18 });
  let begun: string[] = [];
  let line = 0;
  const next = (end: string): { text: string; line: number } => {
    const whole = begun.length === 0 ? end : [...begun, end].join("");
    begun = [];
    line += 1;
    const text = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    return { text: line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text, line };
  };
  try {
    for await (const chunk of stream as AsyncIterable<string>) {
      let start = 0;
      for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
        yield next(chunk.slice(start, end));
        start = end + 1;
      }
      if (start < chunk.length) begun.push(chunk.slice(start));
    }
    if (begun.length > 0) yield next("");
  } catch (thrown) {
    throw fileError("read", file, thrown);
  }
}

/**
 * The values of a JSON Lines file with the text and the number of their lines; blank lines are passed over.
 * @throws JSONL_MALFORMED with file and line for a line that is not JSON.
 */
export async function* readJsonLines(
  file: string,
): AsyncGenerator<{ value: unknown; line: number; text: string }> {
  for await (const { text, line } of readLines(file)) {
    if (text.trim() === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (thrown) {
      throw new GradusError(
        "JSONL_MALFORMED",
        `cannot read ${file}: line ${line} is not JSON (${messageOf(thrown)}), expected one JSON value a line`,
        { site: { file, line }, hint: "the file may be cut off: fetch or write it again", cause: thrown },
      );
    }
    yield { value, line, text };
  }
}

/** Writes rows as canonical JSON, one a line, and digests them on the way. */
export class RowWriter {
  readonly #writer: LineWriter;
  readonly #digest = new RowDigest();

  private constructor(writer: LineWriter) {
    this.#writer = writer;
  }

  /** Opens `file` anew. */
  static async open(file: string): Promise<RowWriter> {
    return new RowWriter(await LineWriter.open(file));
  }

  /** Adds a row; waits for the disk when enough has gathered. */
  async add(row: unknown): Promise<void> {
    await this.#writer.add(this.#digest.add(row));
  }

  /** Flushes to the disk and closes; returns how many rows there are and their digest. */
  async finish(): Promise<{ rows: number; digest: string }> {
    await this.#writer.finish();
    return { rows: this.#digest.count, digest: this.#digest.finish() };
  }

  /** Closes without finishing. */
  async abandon(): Promise<void> {
    await this.#writer.abandon();
  }
}
