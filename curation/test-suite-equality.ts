import { InvalidText } from "../core/execution.ts";
import type { Cell, ResultTable } from "../core/execution.ts";
import { cellKey } from "../io/sql-values.ts";
import { decodeWithoutErrors, pythonBytesText, pythonFloatText } from "../sql/python-text.ts";
import { CellNumbers, findCells, numberCells } from "./cell-grid.ts";
import type { CellGrid } from "./cell-grid.ts";
import { matchColumns } from "./column-matching.ts";
import type { MatchAnswer } from "./column-matching.ts";
import { distinctColumns, haveSameColumns } from "./distinct-columns.ts";
import type { DistinctColumns } from "./distinct-columns.ts";

type Row = readonly Cell[];

/** Cells that the search for a bijection of columns may read, about half a second's worth. */
const MAX_STEPS = 50_000_000;

export interface TestSuiteOptions {
  /** Whether rows are compared as lists; otherwise as multisets. */
  readonly rowsOrdered: boolean;
  /** Cells that the search may read before it gives up; what takes linear time is not counted. */
  readonly maxSteps?: number;
}

/**
 * Whether two results are equal as test-suite accuracy has it: both without rows, whatever their columns, or equal
 * under one permutation of the columns for all rows, and not told apart by the evaluation's first look.
 *
 * That look sorts the cells of each row by their Python text and type and compares the rows, as lists or as sets. It
 * can tell 1 and 1.0 apart, which are equal otherwise: `(1, 1.5)` is not `(1.0, 1.5)`, for 1.5 sorts between them,
 * while `(10, 9)` is `(10.0, 9)`. Text is taken without its bytes that are not UTF-8.
 */
export function testSuiteEquality(
  gold: ResultTable,
  predicted: ResultTable,
  { rowsOrdered, maxSteps = MAX_STEPS }: TestSuiteOptions,
): MatchAnswer {
  if (gold === predicted) return "equal";
  const expected = expectedOf(gold);
  const isTooLarge = predicted.execution.status === "too_large";
  const { rows } = expected;
  if (rows.length === 0 && !isTooLarge) return predicted.rows.length === 0 ? "equal" : "different";
  if (rows[0]?.length !== predicted.execution.columns) return "different";
  if (isTooLarge) return streamEquality(expected, predicted.stream(), { rowsOrdered, maxSteps });
  if (rows.length !== predicted.rows.length) return "different";
  const found = predicted.rows.map(decodedRow);
  const grid = findCells(found, expected.grid, expected.numbers);
  if (grid === undefined) return "different";
  // Without whole reals equal cells have equal texts, and the first look sees no more than the search.
  const mayTellApart = expected.hasWholeReals || found.some(hasWholeReal);
  if (mayTellApart && !looksEqual(expected, found, rowsOrdered)) return "different";
  return gridEquality(expected, grid, { rowsOrdered, maxSteps });
}

/** A gold's rows, and what is worked out of them once for all predictions. */
interface Expected {
  readonly rows: readonly Row[];
  readonly numbers: CellNumbers;
  readonly grid: CellGrid;
  readonly columns: DistinctColumns;
  readonly hasWholeReals: boolean;
  /** The {@link lookKey} of every row; made when first wanted. */
  lookKeys?: readonly string[];
}

const expectedOfTables = new WeakMap<ResultTable, Expected>();

function expectedOf(gold: ResultTable): Expected {
  let expected = expectedOfTables.get(gold);
  if (expected === undefined) {
    const rows = gold.rows.map(decodedRow);
    const numbers = new CellNumbers();
    const grid = numberCells(rows, rows[0]?.length ?? 0, numbers);
    const hasWholeReals = rows.some(hasWholeReal);
    expected = { rows, numbers, grid, columns: withoutRepeats(grid), hasWholeReals };
    expectedOfTables.set(gold, expected);
  }
  return expected;
}

function gridEquality(
  expected: Expected,
  grid: CellGrid,
  { rowsOrdered, maxSteps }: Required<TestSuiteOptions>,
): MatchAnswer {
  const columns = withoutRepeats(grid);
  if (rowsOrdered) return haveSameColumns(expected.columns, columns) ? "equal" : "different";
  return matchColumns(expected.columns, columns, maxSteps);
}

/** Holds no more of the rows than a number a cell: it stops at the first that looks like none of the gold's. */
function streamEquality(
  expected: Expected,
  rows: Iterable<Row>,
  options: Required<TestSuiteOptions>,
): MatchAnswer {
  const look = new FirstLook(expected, options.rowsOrdered);
  const grid = findCells(look.passing(rows), expected.grid, expected.numbers);
  return grid === undefined || !look.isComplete ? "different" : gridEquality(expected, grid, options);
}

function looksEqual(expected: Expected, rows: readonly Row[], rowsOrdered: boolean): boolean {
  const look = new FirstLook(expected, rowsOrdered);
  let count = 0;
  for (const _ of look.passing(rows)) count += 1;
  return count === rows.length && look.isComplete;
}

/** Compares rows, their cells sorted, with those of a gold: in their order, or as sets. */
class FirstLook {
  readonly #keys: readonly string[];
  readonly #distinct: ReadonlySet<string>;
  readonly #rowsOrdered: boolean;
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(expected: Expected, rowsOrdered: boolean) {
    expected.lookKeys ??= expected.rows.map(lookKey);
    this.#keys = expected.lookKeys;
    this.#distinct = new Set(this.#keys);
    this.#rowsOrdered = rowsOrdered;
  }

  /** Whether what passed is all of the gold's. */
  get isComplete(): boolean {
    return this.#rowsOrdered ? this.#count === this.#keys.length : this.#seen.size === this.#distinct.size;
  }

  /** The rows, text without errors, up to the first that looks different. */
  *passing(rows: Iterable<Row>): Generator<Row, void, void> {
    for (const raw of rows) {
      const row = decodedRow(raw);
      const key = lookKey(row);
      if (this.#rowsOrdered ? key !== this.#keys[this.#count] : !this.#distinct.has(key)) return;
      if (!this.#rowsOrdered) this.#seen.add(key);
      this.#count += 1;
      yield row;
    }
  }
}

function withoutRepeats(grid: CellGrid): DistinctColumns {
  return distinctColumns(
    grid,
    grid.columns.map(() => 0),
  );
}

/** The row itself, unless it has text that is not UTF-8. */
function decodedRow(row: Row): Row {
  if (!row.some((cell) => cell instanceof InvalidText)) return row;
  return row.map((cell) => (cell instanceof InvalidText ? decodeWithoutErrors(cell.bytes) : cell));
}

function hasWholeReal(row: Row): boolean {
  return row.some((cell) => typeof cell === "number" && Number.isInteger(cell));
}

/** The same for two rows exactly when they are equal once the cells of each are sorted by text and type. */
function lookKey(row: Row): string {
  if (row.length === 1) return cellKey(row[0] as Cell);
  const cells = row.map((cell) => ({ cell, text: sortText(cell) }));
  // Code units sort strings differently from Python's characters, but then both rows alike.
  cells.sort((left, right) => (left.text < right.text ? -1 : left.text > right.text ? 1 : 0));
  return cells.map(({ cell }) => cellKey(cell)).join("");
}

function sortText(cell: Cell): string {
  switch (typeof cell) {
    case "string":
      return `${cell}<class 'str'>`;
    case "bigint":
      return `${cell}<class 'int'>`;
    case "number":
      return `${pythonFloatText(cell)}<class 'float'>`;
    default:
      if (cell === null) return "None<class 'NoneType'>";
      return `${pythonBytesText(cell instanceof InvalidText ? cell.bytes : cell)}<class 'bytes'>`;
  }
}
