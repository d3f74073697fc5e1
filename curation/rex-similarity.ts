import { munkres } from "munkres";
import type { DatabaseSchema } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import type { Cell } from "../core/execution.ts";
import { CellNumbers, numberCells } from "./cell-grid.ts";
import type { CellGrid } from "./cell-grid.ts";
import { bindColumns } from "./rex-columns.ts";

/** A result as the similarity takes it: at most 200 rows and 8 columns. */
export interface SimilarityTable {
  readonly columnNames: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const MAX_ROWS = 200;
const MAX_COLUMNS = 8;

/** Wider tables are aligned by key columns. */
const MAX_EXACT_COLUMNS = 4;
const MAX_KEY_COLUMNS = 2;

/**
 * The paper's graded REX score of two small results, from 0 to 1, by its algorithm 1: an assignment of rows,
 * then one of columns, with its heuristic for more than four columns. 1 implies that the metric `rex` calls
 * them equal; the reverse fails where the heuristic aligns rows wrongly. Not in the paper:
 *
 * - A cell is like another or it is not, by the rules of the metric `rex`, whose rule of names holds too. A
 *   pair of columns is as similar as the share of the gold's rows whose cells agree.
 * - The key columns are the gold's two of most distinct values, one when the prediction has one column; of
 *   equals, the first. Without a common name among them they are tried on every choice of the prediction's
 *   columns.
 * - Of several best assignments the solver's, or the first tried, counts.
 * - Without rows on either side columns are alike; without columns on either side the score is 1, and
 *   without any on one side 0.
 *
 * @paper DualSQL appendix E, algorithm 1
 * @throws REX_TABLE_TOO_LARGE beyond 200 rows or 8 columns.
 */
export function rexSimilarity(
  gold: SimilarityTable,
  predicted: SimilarityTable,
  { rowsOrdered, schema }: { readonly rowsOrdered: boolean; readonly schema: DatabaseSchema },
): number {
  for (const { columnNames, rows } of [gold, predicted]) checkSize(rows.length, columnNames.length);
  const numbers = new CellNumbers();
  const left = numberCells(gold.rows, gold.columnNames.length, numbers);
  const right = numberCells(predicted.rows, predicted.columnNames.length, numbers);
  const narrowest = Math.min(left.columns.length, right.columns.length);
  const widest = Math.max(left.columns.length, right.columns.length);
  if (narrowest === 0) return widest === 0 ? 1 : 0;
  const tallest = Math.max(left.rows, right.rows);
  if (left.rows === 0) return tallest === 0 ? narrowest / widest : 0;
  const groups = bindColumns(gold.columnNames, predicted.columnNames, schema);
  const tables: Tables = { left, right, common: commonColumns(groups.gold, groups.predicted) };
  const columns = rowsOrdered ? matchedInOrder(tables) : matchedLoosely(tables);
  return (columns / widest) * (left.rows / tallest);
}

interface Tables {
  readonly left: CellGrid;
  readonly right: CellGrid;
  /** Pairs of columns with a name in common: the gold's place, the prediction's place. */
  readonly common: readonly ColumnPair[];
}

type ColumnPair = readonly [gold: number, predicted: number];

/** For each row of the gold the row of the prediction that it is held against; `undefined` without one. */
type Alignment = readonly (number | undefined)[];

function checkSize(rows: number, columns: number): void {
  if (rows <= MAX_ROWS && columns <= MAX_COLUMNS) return;
  throw new GradusError(
    "REX_TABLE_TOO_LARGE",
    `got ${rows} rows and ${columns} columns, expected at most ${MAX_ROWS} and ${MAX_COLUMNS}`,
    { hint: "use the metric rex, which decides equality for results of any size" },
  );
}

function commonColumns(gold: readonly number[], predicted: readonly number[]): ColumnPair[] {
  return gold.flatMap((group, index) => (group === 0 ? [] : [[index, predicted.indexOf(group)] as const]));
}

/** Sum of the similarities of matched columns, rows being held against each other by their place. */
function matchedInOrder(tables: Tables): number {
  const { left, right } = tables;
  return matchedAlong(
    tables,
    Array.from({ length: left.rows }, (_, row) => (row < right.rows ? row : undefined)),
  );
}

function matchedLoosely(tables: Tables): number {
  const { left, right, common } = tables;
  if (Math.max(left.columns.length, right.columns.length) > MAX_EXACT_COLUMNS) {
    const keys = keyColumns(left, right.columns.length);
    const named = common.filter(([gold]) => keys.includes(gold));
    return matchedAlong(
      tables,
      named.length > 0 ? alignRows(tables, named).alignment : bestAlignment(tables, keys).alignment,
    );
  }
  if (common.length > 0) return matchedAlong(tables, alignRows(tables, common).alignment);
  const gold = left.columns.map((_, index) => index);
  return bestAlignment(tables, gold).equalCells / left.rows;
}

/** Sum of the similarities of the common columns and of the rest under its best assignment. */
function matchedAlong({ left, right, common }: Tables, alignment: Alignment): number {
  const similarity = (gold: number, predicted: number): number => {
    let equal = 0;
    alignment.forEach((row, index) => {
      if (row !== undefined && left.columns[gold]?.[index] === right.columns[predicted]?.[row]) equal += 1;
    });
    return equal / left.rows;
  };
  const restOf = ({ columns }: CellGrid, side: 0 | 1): number[] =>
    columns.flatMap((_, index) => (common.some((pair) => pair[side] === index) ? [] : [index]));
  const goldRest = restOf(left, 0);
  const predictedRest = restOf(right, 1);
  const costs = goldRest.map((gold) => predictedRest.map((predicted) => -similarity(gold, predicted)));
  let sum = common.reduce((total, [gold, predicted]) => total + similarity(gold, predicted), 0);
  for (const [gold, predicted] of munkres(costs)) sum -= costs[gold]?.[predicted] ?? 0;
  return sum;
}

/** The columns of the gold by which rows are aligned: those with the most distinct values. */
function keyColumns({ columns }: CellGrid, predictedColumns: number): number[] {
  return columns
    .map((column, index) => ({ index, distinct: new Set(column).size }))
    .sort((first, second) => second.distinct - first.distinct || first.index - second.index)
    .slice(0, Math.min(MAX_KEY_COLUMNS, predictedColumns))
    .map(({ index }) => index);
}

interface AlignedRows {
  readonly alignment: Alignment;
  /** Cells that agree under it. */
  readonly equalCells: number;
}

/** The assignment of rows under which the most cells of the paired columns agree. */
function alignRows({ left, right }: Tables, pairs: readonly ColumnPair[]): AlignedRows {
  const costs = Array.from({ length: left.rows }, (_, goldRow) =>
    Array.from({ length: right.rows }, (__, row) => {
      let cost = 0;
      for (const [gold, predicted] of pairs) {
        if (left.columns[gold]?.[goldRow] === right.columns[predicted]?.[row]) cost -= 1;
      }
      return cost;
    }),
  );
  const alignment: (number | undefined)[] = Array.from({ length: left.rows }, () => undefined);
  let equalCells = 0;
  for (const [goldRow, row] of munkres(costs)) {
    alignment[goldRow] = row;
    equalCells -= costs[goldRow]?.[row] ?? 0;
  }
  return { alignment, equalCells };
}

/** The best assignment of rows over every way to pair columns of the gold with columns of the prediction. */
function bestAlignment(tables: Tables, goldColumns: readonly number[]): AlignedRows {
  let best: AlignedRows | undefined;
  for (const pairs of pairings(goldColumns, tables.right.columns.length)) {
    const aligned = alignRows(tables, pairs);
    if (best === undefined || aligned.equalCells > best.equalCells) best = aligned;
  }
  return best as AlignedRows;
}

/** Every way to pair as many of the columns as can be with different columns of the prediction. */
function* pairings(
  gold: readonly number[],
  predictedColumns: number,
  used: readonly number[] = [],
): Generator<ColumnPair[], void, void> {
  const [first, ...rest] = gold;
  const free = predictedColumns - used.length;
  if (first === undefined || free === 0) {
    yield [];
    return;
  }
  for (let predicted = 0; predicted < predictedColumns; predicted += 1) {
    if (used.includes(predicted)) continue;
    for (const others of pairings(rest, predictedColumns, [...used, predicted])) {
      yield [[first, predicted], ...others];
    }
  }
  if (gold.length > free) yield* pairings(rest, predictedColumns, used);
}
