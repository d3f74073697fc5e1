import type { Cell, ExecutionLimits } from "../core/execution.ts";
import { RowHashes } from "./row-hashes.ts";
import type { SqlRowIterator } from "./sql-driver.ts";
import { cellKey, rememberRowKeys } from "./sql-values.ts";

const REPLACEMENT = "\uFFFD";

/** The keys of fewer rows are sooner made again than remembered. */
const REMEMBERED_ROWS = 32;

/** Cells of a result that is held; a row counts as some more of them. */
const HELD_CELLS = 600_000;
const CELLS_OF_A_ROW = 4;

/** Characters and bytes of a result that is held. */
const HELD_BYTES = 1 << 25;

/**
 * Rows read to the end of a result or to the first row over a limit, which is not kept. Of a large result hashes are
 * kept instead of rows; what is large depends on its rows alone, not on their order.
 */
export class Reading {
  readonly rows: Cell[][] = [];
  /** The `rowKey` of each of them. */
  readonly keys: string[] = [];
  /** In the place of the rows of a large result. */
  hashes: RowHashes | undefined;
  /** Rows before the first over a limit. */
  count = 0;
  tooLarge = false;
  hasText = false;
  /** Whether a text has U+FFFD, which also stands for bytes that are not UTF-8. */
  hasReplacement = false;
  readonly #limits: ExecutionLimits;
  readonly #convert: ((row: readonly Cell[]) => Cell[]) | null;
  #bytes = 0;
  #hasInvalidText = false;

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
    return this.#end();
  }

  readAll(rows: readonly unknown[]): this {
    for (let index = 0; index < rows.length; index += 1) {
      if (!this.#add(rows[index] as Cell[])) break;
    }
    return this.#end();
  }

  #end(): this {
    if (this.count >= REMEMBERED_ROWS && this.hashes === undefined) rememberRowKeys(this.rows, this.keys);
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
        if (!(cell instanceof Uint8Array)) this.#hasInvalidText = true;
        this.#bytes += cell instanceof Uint8Array ? cell.length : cell.bytes.length;
      }
    }
    if (this.count >= this.#limits.maxRows || this.#bytes > this.#limits.maxBytes) {
      this.tooLarge = true;
      return false;
    }
    this.count += 1;
    if (this.hashes !== undefined) {
      this.hashes.add(key);
      this.hashes.hasInvalidText = this.#hasInvalidText;
      return true;
    }
    this.rows.push(row);
    this.keys.push(key);
    const isLarge = this.count * (row.length + CELLS_OF_A_ROW) > HELD_CELLS || this.#bytes > HELD_BYTES;
    if (isLarge) this.#letGo(row.length);
    return true;
  }

  #letGo(columns: number): void {
    const hashes = new RowHashes(columns);
    for (const key of this.keys) hashes.add(key);
    hashes.hasInvalidText = this.#hasInvalidText;
    this.rows.length = 0;
    this.keys.length = 0;
    this.hashes = hashes;
  }
}
