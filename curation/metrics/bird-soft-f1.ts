import { InvalidText } from "../../core/execution.ts";
import type { Cell, ResultTable } from "../../core/execution.ts";
import { defineMetric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { cellKey, rowKey, rowKeys } from "../../io/sql-values.ts";

type Row = readonly Cell[];

/** Distinct rows of a prediction that are told apart at most; the set of them must fit into memory. */
const MAX_DISTINCT_ROWS = 1_000_000;

/**
 * BIRD's soft F1, from 0 to 1: how far the cells of both results agree. Repeated rows are dropped, the first
 * one staying, and rows are paired by their place, so the order of rows counts. In a pair a cell is found
 * when it occurs anywhere in the other row, and counts for one part in the width of the gold's row; a row
 * without a partner counts as one that is not found. Precision and recall come from the sums. Two results
 * without rows score 1. Cells are equal as in Python: 1 and 1.0 are, with no tolerance. Text that is not
 * UTF-8 on either side is an error there, so 0.
 */
export default defineMetric({
  id: "bird-soft-f1",
  version: 1,
  needs: { rows: true },
  deviations: [
    "statements run read-only: a prediction that writes scores 0",
    "a gold that fails leaves its answers unscored instead of wrong, but for gradus score, which gives the official 0",
    "time is limited per statement by CPU, not by the clock for both",
    `a prediction with more than ${MAX_DISTINCT_ROWS} distinct rows is unscored`,
  ],
  officialWhenGoldFails: 0,
  judge({ gold, predicted }) {
    const expected = distinctRows(gold);
    if (expected === null) return scored(0);
    const counts: Counts = { found: 0, onlyPredicted: 0, onlyGold: 0 };
    const paired = countPairs(predicted, expected, counts);
    if (paired === "undecodable") return scored(0);
    if (paired === "too_many_rows") {
      return unscored("soft_f1_rows", `the prediction has more than ${MAX_DISTINCT_ROWS} distinct rows`);
    }
    if (expected.rows.length === 0 && paired === 0) return scored(1);
    // One by one, as the official code adds them: the last bit depends on it.
    for (let place = paired; place < expected.rows.length; place += 1) counts.onlyGold += 1;
    return scored(harmonicMean(counts));
  },
});

/** Sums over pairs of rows, in parts of a row of the gold. */
interface Counts {
  found: number;
  onlyPredicted: number;
  onlyGold: number;
}

interface DistinctRows {
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
}

const distinct = new WeakMap<ResultTable, DistinctRows | null>();

/** The rows of a gold without repeats, in their order; `null` when a cell cannot be decoded. */
function distinctRows(gold: ResultTable): DistinctRows | null {
  let known = distinct.get(gold);
  if (known !== undefined) return known;
  known = null;
  if (!gold.rows.some(hasInvalidText)) {
    const firsts = new Map<string, Row>();
    rowKeys(gold.rows).forEach((key, index) => {
      if (!firsts.has(key)) firsts.set(key, gold.rows[index] as Row);
    });
    known = { rows: [...firsts.values()], keys: [...firsts.keys()] };
  }
  distinct.set(gold, known);
  return known;
}

/** Adds every distinct row of a prediction to `counts`; how many there are, or why there is no score. */
function countPairs(
  predicted: ResultTable,
  gold: DistinctRows,
  counts: Counts,
): number | "undecodable" | "too_many_rows" {
  const isHeld = predicted.execution.status !== "too_large";
  const keys = isHeld ? rowKeys(predicted.rows) : [];
  const seen = new Set<string>();
  let index = 0;
  for (const row of isHeld ? predicted.rows : predicted.stream()) {
    if (hasInvalidText(row)) return "undecodable";
    const key = keys[index] ?? rowKey(row);
    index += 1;
    if (seen.has(key)) continue;
    const place = seen.size;
    if (place === MAX_DISTINCT_ROWS) return "too_many_rows";
    seen.add(key);
    const partner = gold.rows[place];
    if (partner === undefined) counts.onlyPredicted += 1;
    else if (key === gold.keys[place]) counts.found += 1;
    else countPair(row, partner, counts);
  }
  return seen.size;
}

function countPair(predicted: Row, gold: Row, counts: Counts): void {
  const predictedKeys = predicted.map(cellKey);
  const goldKeys = gold.map(cellKey);
  const found = predictedKeys.filter((key) => goldKeys.includes(key)).length;
  const missed = goldKeys.filter((key) => !predictedKeys.includes(key)).length;
  counts.found += found / gold.length;
  counts.onlyPredicted += (predicted.length - found) / gold.length;
  counts.onlyGold += missed / gold.length;
}

function harmonicMean({ found, onlyPredicted, onlyGold }: Counts): number {
  if (found === 0) return 0;
  const precision = found / (found + onlyPredicted);
  const recall = found / (found + onlyGold);
  return (2 * precision * recall) / (precision + recall);
}

function hasInvalidText(row: Row): boolean {
  return row.some((cell) => cell instanceof InvalidText);
}
