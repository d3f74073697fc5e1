import type { CellGrid } from "./cell-grid.ts";
import { matchColumns } from "./column-matching.ts";
import type { MatchAnswer } from "./column-matching.ts";
import { distinctColumns, haveSameColumns } from "./distinct-columns.ts";
import type { ColumnGroups } from "./rex-columns.ts";

/** Cells that the search for a bijection may read, about half a second's worth. */
const MAX_STEPS = 50_000_000;

export interface RexOptions {
  /** Whether rows are compared as lists; otherwise as multisets. */
  readonly rowsOrdered: boolean;
  /** Cells that the search may read before it gives up; what takes linear time is not counted. */
  readonly maxSteps?: number;
}

/** Whether some bijection of the columns, within their groups, makes the rows of two results equal. */
export function rexEquality(
  gold: CellGrid,
  predicted: CellGrid,
  groups: ColumnGroups,
  { rowsOrdered, maxSteps = MAX_STEPS }: RexOptions,
): MatchAnswer {
  if (gold.columns.length !== predicted.columns.length || gold.rows !== predicted.rows) return "different";
  const left = distinctColumns(gold, groups.gold);
  const right = distinctColumns(predicted, groups.predicted);
  if (rowsOrdered) return haveSameColumns(left, right) ? "equal" : "different";
  return matchColumns(left, right, maxSteps);
}
