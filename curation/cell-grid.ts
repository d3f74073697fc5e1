import type { Cell } from "../core/execution.ts";
import { cellKey } from "../io/sql-values.ts";
import { NumberPlaces } from "./number-places.ts";

type Row = readonly Cell[];

/** A result by columns, its cells as numbers: two of them are equal exactly when the cells are. */
export interface CellGrid {
  readonly rows: number;
  readonly columns: readonly Int32Array[];
}

/**
 * Numbers for cells; equal cells, by {@link cellKey}, have one. Integers of up to 30 bits have theirs
 * beforehand, an even one, all others get odd ones in the order in which they come.
 */
export class CellNumbers {
  readonly #ofReals = new NumberPlaces();
  readonly #ofTexts = new Map<string, number>();
  /** By cell key, which costs more to make: integers beyond 53 bits, blobs, invalid text. */
  readonly #ofOthers = new Map<string, number>();

  /** The number of a cell, a new one where it has none. */
  numberOf(cell: Cell): number {
    if (cell === null) return NULL_NUMBER;
    if (typeof cell === "string") {
      const known = this.#ofTexts.get(cell);
      if (known !== undefined) return known;
      const number = 4 * this.#ofTexts.size + FIRST_TEXT;
      this.#ofTexts.set(cell, number);
      return number;
    }
    const value = plainValue(cell);
    if (value === undefined) return this.#numberOfOther(cellKey(cell));
    return isShort(value) ? value << 1 : 4 * this.#ofReals.placeOf(value) + FIRST_REAL;
  }

  /** The number of a cell; `undefined` where it has none. */
  find(cell: Cell): number | undefined {
    if (cell === null) return NULL_NUMBER;
    if (typeof cell === "string") return this.#ofTexts.get(cell);
    const value = plainValue(cell);
    if (value === undefined) return this.#ofOthers.get(cellKey(cell));
    if (isShort(value)) return value << 1;
    const place = this.#ofReals.find(value);
    return place === -1 ? undefined : 4 * place + FIRST_REAL;
  }

  #numberOfOther(key: string): number {
    const known = this.#ofOthers.get(key);
    if (known !== undefined) return known;
    const number = -1 - 2 * this.#ofOthers.size;
    this.#ofOthers.set(key, number);
    return number;
  }
}

/** Odd numbers: NULL has 1, every other one from 3 on is a text's and those between are reals'; others' are below 0. */
const NULL_NUMBER = 1;
const FIRST_TEXT = 3;
const FIRST_REAL = 5;

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** A number that is the same exactly where cells are equal; `undefined` for a cell that has none. */
function plainValue(cell: Cell): number | undefined {
  if (typeof cell === "bigint") return cell <= LARGEST && cell >= -LARGEST ? Number(cell) : undefined;
  if (typeof cell !== "number" || Number.isNaN(cell)) return undefined;
  return Number.isInteger(cell) && !Number.isSafeInteger(cell) ? undefined : cell;
}

/** Whether a value is an integer of at most 30 bits and a sign. */
function isShort(value: number): boolean {
  return (value << 1) >> 1 === value;
}

/** Numbers the cells of a result, new ones too. Every row has `width` cells. */
export function numberCells(rows: readonly Row[], width: number, numbers: CellNumbers): CellGrid {
  const columns = Array.from({ length: width }, () => new Int32Array(rows.length));
  for (let start = 0; start < rows.length; start += LARGEST_BLOCK) {
    const end = Math.min(start + LARGEST_BLOCK, rows.length);
    for (let column = 0; column < width; column += 1) {
      const into = columns[column] as Int32Array;
      for (let row = start; row < end; row += 1) {
        into[row] = numbers.numberOf((rows[row] as Row)[column] as Cell);
      }
    }
  }
  return { rows: rows.length, columns };
}

/**
 * Looks up the cells of a result of the width of `like`. `undefined`, without reading on, when it has another
 * number of rows or a cell has no number.
 */
export function findCells(rows: Iterable<Row>, like: CellGrid, numbers: CellNumbers): CellGrid | undefined {
  const columns = like.columns.map(() => new Int32Array(like.rows));
  let count = 0;
  for (const block of blocksOf(rows)) {
    const size = block.end - block.start;
    if (count + size > like.rows || !findBlock(block, columns, count, numbers)) return undefined;
    count += size;
  }
  return count === like.rows ? { rows: count, columns } : undefined;
}

/**
 * Rows whose cells are read column by column. The cells of a column are alike, and where looking one up waits for
 * memory, the processor goes on to the next.
 */
const LARGEST_BLOCK = 1024;

/** Some of the rows of an array: those from `start` to before `end`. */
interface Block {
  readonly rows: readonly Row[];
  readonly start: number;
  readonly end: number;
}

/** Blocks of an array, each twice as large as the one before it; of a stream, whose rows are not kept, single rows. */
function* blocksOf(rows: Iterable<Row>): Generator<Block, void, void> {
  if (!Array.isArray(rows)) {
    for (const row of rows) yield { rows: [row], start: 0, end: 1 };
    return;
  }
  let start = 0;
  for (let size = 1; start < rows.length; size = Math.min(2 * size, LARGEST_BLOCK)) {
    const end = Math.min(start + size, rows.length);
    yield { rows, start, end };
    start = end;
  }
}

/** Looks up the cells of a block that begins with row `first` of its result; false where one has no number. */
function findBlock(
  { rows, start, end }: Block,
  columns: readonly Int32Array[],
  first: number,
  numbers: CellNumbers,
): boolean {
  for (let column = 0; column < columns.length; column += 1) {
    const into = columns[column] as Int32Array;
    for (let row = start; row < end; row += 1) {
      const number = numbers.find((rows[row] as Row)[column] as Cell);
      if (number === undefined) return false;
      into[first + row - start] = number;
    }
  }
  return true;
}
