import type { Cell, ExecutionLimits } from "../core/execution.ts";
import type { SqlRowIterator } from "./sql-driver.ts";
import { cellKey, rememberRowKeys } from "./sql-values.ts";

const REPLACEMENT = "\uFFFD";

/** Rows read to the end of a result or to the first row over a limit, which is not kept. */
export class Reading {
  readonly rows: Cell[][] = [];
  tooLarge = false;
  hasText = false;
  /** Whether a text has U+FFFD, which also stands for bytes that are not UTF-8. */
  hasReplacement = false;
  readonly #keys: string[] = [];
  readonly #limits: ExecutionLimits;
  readonly #convert: ((row: readonly Cell[]) => Cell[]) | null;
  #bytes = 0;

  /** @param convert - makes the row to keep of the row that was read; `null` keeps it as it is */
  constructor(limits: ExecutionLimits, convert: ((row: readonly Cell[]) => Cell[]) | null) {
    this.#limits = limits;
    this.#convert = convert;
  }

  readFrom(iterator: SqlRowIterator): this {
    for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
      if (this.#add(step.value as Cell[])) continue;
      iterator.return?.();
      break;
    }
    rememberRowKeys(this.rows, this.#keys);
    return this;
  }

  readAll(rows: readonly unknown[]): this {
    for (let index = 0; index < rows.length; index += 1) {
      if (!this.#add(rows[index] as Cell[])) break;
    }
    rememberRowKeys(this.rows, this.#keys);
    return this;
  }

  #add(read: Cell[]): boolean {
    const row = this.#convert === null ? read : this.#convert(read);
    let key = "";
    for (let index = 0; index < row.length; index += 1) {
      const cell = row[index] as Cell;
      key += cellKey(cell);
      if (typeof cell === "string") {
        this.#bytes += cell.length;
        this.hasText = true;
        if (!this.hasReplacement && cell.includes(REPLACEMENT)) this.hasReplacement = true;
      } else if (typeof cell === "object" && cell !== null) {
        this.#bytes += cell instanceof Uint8Array ? cell.length : cell.bytes.length;
      }
    }
    if (this.rows.length >= this.#limits.maxRows || this.#bytes > this.#limits.maxBytes) {
      this.tooLarge = true;
      return false;
    }
    this.rows.push(row);
    this.#keys.push(key);
    return true;
  }
}
