import { open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { fileError } from "./files.ts";
import { makeScratchFolder } from "./scratch-folder.ts";

const FLUSH_AT = 1 << 18;

/** How an index reads its rows: the key of a row, and which rows to keep (all by default). */
export interface RowIndexOptions<T> {
  keyOf(row: T): string;
  keep?(row: T): boolean;
}

/**
 * Rows by key, in a temporary file of the system's temporary folder; only keys and offsets stay in memory.
 * Rows must be plain JSON, and read back as such.
 */
export class RowIndex<T> {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #numbers: ReadonlyMap<string, number>;
  /** Byte offset of row i, and at the end the length of the file. */
  readonly #offsets: readonly number[];

  private constructor(file: string, handle: FileHandle, found: Written) {
    this.#file = file;
    this.#handle = handle;
    this.#numbers = found.numbers;
    this.#offsets = found.offsets;
  }

  /**
   * Reads `rows` to their end. The caller closes the index.
   * @throws INDEX_KEY_TWICE for two rows with one key, DISK_FULL, FILE_FORBIDDEN, FILE_FAILED.
   */
  static async build<T>(rows: AsyncIterable<T>, options: RowIndexOptions<T>): Promise<RowIndex<T>> {
    const file = path.join(temporaryFolder(), "rows.jsonl");
    const handle = await openAnew(file);
    try {
      return new RowIndex(file, handle, await write(rows, options, { file, handle }));
    } catch (thrown) {
      await handle.close();
      await rm(path.dirname(file), { recursive: true, force: true });
      throw thrown;
    }
  }

  get size(): number {
    return this.#numbers.size;
  }

  has(key: string): boolean {
    return this.#numbers.has(key);
  }

  /** The row of a key, or `undefined`. Throws FILE_FAILED. */
  async get(key: string): Promise<T | undefined> {
    const number = this.#numbers.get(key);
    if (number === undefined) return undefined;
    const start = this.#offsets[number] as number;
    const length = (this.#offsets[number + 1] as number) - start;
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#read(buffer, filled, start + filled);
      if (bytesRead === 0) throw fileError("read", this.#file, new Error(`it ends before row ${number}`));
      filled += bytesRead;
    }
    return JSON.parse(buffer.toString("utf8")) as T;
  }

  async #read(buffer: Buffer, from: number, position: number): Promise<{ bytesRead: number }> {
    try {
      return await this.#handle.read(buffer, from, buffer.length - from, position);
    } catch (thrown) {
      throw fileError("read", this.#file, thrown);
    }
  }

  /** Closes the file and removes it. */
  async close(): Promise<void> {
    await this.#handle.close();
    await rm(path.dirname(this.#file), { recursive: true, force: true });
  }
}

interface Written {
  readonly numbers: ReadonlyMap<string, number>;
  readonly offsets: readonly number[];
}

function temporaryFolder(): string {
  try {
    return makeScratchFolder("rows");
  } catch (thrown) {
    throw fileError("make a temporary folder in", tmpdir(), thrown);
  }
}

async function openAnew(file: string): Promise<FileHandle> {
  try {
    return await open(file, "wx+");
  } catch (thrown) {
    throw fileError("write", file, thrown);
  }
}

async function write<T>(
  rows: AsyncIterable<T>,
  options: RowIndexOptions<T>,
  target: { readonly file: string; readonly handle: FileHandle },
): Promise<Written> {
  const numbers = new Map<string, number>();
  const offsets = [0];
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let end = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    try {
      await target.handle.writeFile(bytes);
    } catch (thrown) {
      throw fileError("write", target.file, thrown);
    }
  };
  for await (const row of rows) {
    if (options.keep !== undefined && !options.keep(row)) continue;
    const key = options.keyOf(row);
    if (numbers.has(key)) throw keyTwice(key);
    numbers.set(key, offsets.length - 1);
    const bytes = Buffer.from(`${JSON.stringify(row)}\n`);
    end += bytes.length;
    offsets.push(end);
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes >= FLUSH_AT) await flush();
  }
  await flush();
  return { numbers, offsets };
}

function keyTwice(key: string): GradusError {
  return new GradusError("INDEX_KEY_TWICE", `cannot index rows: two have the key ${key}, expected one`, {
    site: { rowId: key },
    hint: "the step that wrote these rows gives a row twice: run it again, and report it if that does not help",
  });
}
