import { GradusError } from "../core/errors.ts";
import { RowSpool } from "./row-spool.ts";

/** How an index reads its rows: the key of a row, and which rows to keep (all by default). */
export interface RowIndexOptions<T> {
  keyOf(row: T): string;
  keep?(row: T): boolean;
}

/** Rows by key, in a {@link RowSpool}; only keys and offsets stay in memory. */
export class RowIndex<T> {
  readonly #spool: RowSpool<T>;
  readonly #numbers: ReadonlyMap<string, number>;

  private constructor(spool: RowSpool<T>, numbers: ReadonlyMap<string, number>) {
    this.#spool = spool;
    this.#numbers = numbers;
  }

  /**
   * Reads `rows` to their end. The caller closes the index.
   * @throws INDEX_KEY_TWICE for two rows with one key, DISK_FULL, FILE_FORBIDDEN, FILE_FAILED.
   */
  static async build<T>(rows: AsyncIterable<T>, options: RowIndexOptions<T>): Promise<RowIndex<T>> {
    const spool = await RowSpool.open<T>();
    try {
      const numbers = new Map<string, number>();
      for await (const row of rows) {
        if (options.keep !== undefined && !options.keep(row)) continue;
        const key = options.keyOf(row);
        if (numbers.has(key)) throw keyTwice(key);
        numbers.set(key, await spool.add(row));
      }
      return new RowIndex(spool, numbers);
    } catch (thrown) {
      await spool.close();
      throw thrown;
    }
  }

  get size(): number {
    return this.#numbers.size;
  }

  has(key: string): boolean {
    return this.#numbers.has(key);
  }

  /** The row of a key, or `undefined`. Throws DISK_FULL, FILE_FAILED. */
  async get(key: string): Promise<T | undefined> {
    const number = this.#numbers.get(key);
    return number === undefined ? undefined : this.#spool.get(number);
  }

  /** Closes the file and removes it. */
  close(): Promise<void> {
    return this.#spool.close();
  }
}

function keyTwice(key: string): GradusError {
  return new GradusError("INDEX_KEY_TWICE", `cannot index rows: two have the key ${key}, expected one`, {
    site: { rowId: key },
    hint: "the step that wrote these rows gives a row twice: run it again, and report it if that does not help",
  });
}
