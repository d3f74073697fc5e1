import { createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { createInterface } from "node:readline";
import { GradusError, messageOf } from "../core/errors.ts";
import { RowDigest } from "../core/key.ts";
import { fileError } from "./files.ts";

/**
 * The lines of a UTF-8 text file with their 1-based numbers, in bounded memory. Lines end at `\n` or
 * `\r\n`. Throws FILE_MISSING, FILE_FORBIDDEN, FILE_FAILED.
 */
export async function* readLines(file: string): AsyncGenerator<{ text: string; line: number }> {
  const stream = createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 18 });
  let failure: unknown;
  stream.on("error", (thrown) => {
    failure = thrown;
  });
  const reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let line = 0;
  try {
    for await (const text of reader) {
      line += 1;
      yield { text: line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text, line };
    }
  } catch (thrown) {
    throw fileError("read", file, thrown);
  } finally {
    stream.destroy();
  }
  if (failure !== undefined) throw fileError("read", file, failure);
}

/**
 * The values of a JSON Lines file; blank lines are passed over.
 * @throws JSONL_MALFORMED with file and line for a line that is not JSON.
 */
export async function* readJsonLines(file: string): AsyncGenerator<{ value: unknown; line: number }> {
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
    yield { value, line };
  }
}

const FLUSH_AT = 1 << 18;

/** Writes rows as canonical JSON, one a line, and digests them on the way. */
export class RowWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #digest = new RowDigest();
  #pending: string[] = [];
  #pendingLength = 0;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** Opens `file` anew. */
  static async open(file: string): Promise<RowWriter> {
    try {
      return new RowWriter(file, await open(file, "w"));
    } catch (thrown) {
      throw fileError("write", file, thrown);
    }
  }

  /** Adds a row; waits for the disk when enough has gathered. */
  async add(row: unknown): Promise<void> {
    const line = this.#digest.add(row);
    this.#pending.push(line);
    this.#pendingLength += line.length;
    if (this.#pendingLength >= FLUSH_AT) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const text = `${this.#pending.join("\n")}\n`;
    this.#pending = [];
    this.#pendingLength = 0;
    try {
      await this.#handle.writeFile(text);
    } catch (thrown) {
      throw fileError("write", this.#file, thrown);
    }
  }

  /** Flushes to the disk and closes; returns how many rows there are and their digest. */
  async finish(): Promise<{ rows: number; digest: string }> {
    try {
      await this.#flush();
      await this.#handle.sync();
    } catch (thrown) {
      throw thrown instanceof GradusError ? thrown : fileError("write", this.#file, thrown);
    } finally {
      await this.#handle.close();
    }
    return { rows: this.#digest.count, digest: this.#digest.finish() };
  }

  /** Closes without finishing. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }
}
