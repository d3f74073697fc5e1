import { open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileError } from "./files.ts";
import { makeScratchFolder } from "./scratch-folder.ts";

const FLUSH_AT = 1 << 18;

/** Bytes read at once when rows are asked for in the order of their numbers. */
const WINDOW = 1 << 17;

/** Bytes of the file from an offset on. */
interface Window {
  readonly start: number;
  readonly bytes: Buffer;
}

/**
 * Rows by number, in a temporary file of the system's temporary folder; only offsets stay in memory. Rows
 * must be plain JSON, and read back as such. The caller closes it.
 */
export class RowSpool<T> {
  readonly #file: string;
  readonly #handle: FileHandle;
  /** Byte offset of row i, and at the end the length of the rows. */
  readonly #offsets: number[] = [0];
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written: Promise<void> = Promise.resolve();
  /** What was read last. */
  #window: Window = { start: 0, bytes: Buffer.alloc(0) };
  /** The row given last. */
  #last = -1;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** @throws DISK_FULL, FILE_FORBIDDEN, FILE_FAILED. */
  static async open<T>(): Promise<RowSpool<T>> {
    const file = path.join(temporaryFolder(), "rows.jsonl");
    try {
      return new RowSpool(file, await open(file, "wx+"));
    } catch (thrown) {
      await rm(path.dirname(file), { recursive: true, force: true });
      throw fileError("write", file, thrown);
    }
  }

  get size(): number {
    return this.#offsets.length - 1;
  }

  /** Adds a row and gives its number, from 0. Throws DISK_FULL, FILE_FAILED. */
  async add(row: T): Promise<number> {
    const bytes = Buffer.from(`${JSON.stringify(row)}\n`);
    const number = this.size;
    this.#offsets.push((this.#offsets[number] as number) + bytes.length);
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= FLUSH_AT) await this.#flush();
    return number;
  }

  /** Ends when everything added so far is in the file. */
  #flush(): Promise<void> {
    if (this.#pendingBytes > 0) {
      const bytes = Buffer.concat(this.#pending);
      this.#pending = [];
      this.#pendingBytes = 0;
      this.#written = this.#written.then(() => this.#append(bytes));
    }
    return this.#written;
  }

  async #append(bytes: Buffer): Promise<void> {
    try {
      await this.#handle.appendFile(bytes);
    } catch (thrown) {
      throw fileError("write", this.#file, thrown);
    }
  }

  /** The row of a number below `size`. Throws DISK_FULL, FILE_FAILED. */
  async get(number: number): Promise<T> {
    const start = this.#offsets[number] as number;
    const length = (this.#offsets[number + 1] as number) - start;
    const wanted = number === this.#last + 1 ? Math.max(length, WINDOW) : length;
    this.#last = number;
    let held = this.#window;
    if (start < held.start || start + length > held.start + held.bytes.length) {
      held = await this.#readFrom(start, wanted);
      this.#window = held;
    }
    const from = start - held.start;
    return JSON.parse(held.bytes.toString("utf8", from, from + length)) as T;
  }

  /** Reads `wanted` bytes from `start`, or as many as the rows have. */
  async #readFrom(start: number, wanted: number): Promise<Window> {
    await this.#flush();
    const end = this.#offsets[this.size] as number;
    const bytes = Buffer.allocUnsafeSlow(Math.min(wanted, end - start));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.#read(bytes, filled, start + filled);
      if (bytesRead === 0)
        throw fileError("read", this.#file, new Error(`it ends at byte ${start + filled}`));
      filled += bytesRead;
    }
    return { start, bytes };
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
    await this.#written.catch(() => undefined);
    await this.#handle.close();
    await rm(path.dirname(this.#file), { recursive: true, force: true });
  }
}

function temporaryFolder(): string {
  try {
    return makeScratchFolder("rows");
  } catch (thrown) {
    throw fileError("make a temporary folder in", tmpdir(), thrown);
  }
}
