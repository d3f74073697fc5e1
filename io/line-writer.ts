import { open, type FileHandle } from "node:fs/promises";
import { GradusError } from "../core/errors.ts";
import { fileError } from "./files.ts";

const FLUSH_AT = 1 << 18;

/** Writes lines of UTF-8 text, `\n` after each, in bounded memory. */
export class LineWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  #pending: string[] = [];
  #pendingLength = 0;
  #lines = 0;
  #bytes = 0;
  #longest = 0;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** Opens `file` anew. Throws DISK_FULL, FILE_FORBIDDEN, FILE_MISSING, FILE_FAILED, as all writes do. */
  static async open(file: string): Promise<LineWriter> {
    try {
      return new LineWriter(file, await open(file, "w"));
    } catch (thrown) {
      throw fileError("write", file, thrown);
    }
  }

  /** Adds a line, given without its end; waits for the disk when enough has gathered. */
  async add(line: string): Promise<void> {
    const bytes = Buffer.byteLength(line) + 1;
    this.#lines += 1;
    this.#bytes += bytes;
    this.#longest = Math.max(this.#longest, bytes);
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

  /** Flushes to the disk and closes; sizes are in bytes, ends of lines included. */
  async finish(): Promise<{ lines: number; bytes: number; longestLineBytes: number }> {
    try {
      await this.#flush();
      await this.#handle.sync();
    } catch (thrown) {
      throw thrown instanceof GradusError ? thrown : fileError("write", this.#file, thrown);
    } finally {
      await this.#handle.close();
    }
    return { lines: this.#lines, bytes: this.#bytes, longestLineBytes: this.#longest };
  }

  /** Closes without finishing. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }
}
