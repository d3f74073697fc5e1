import type { Cell, ResultTable } from "../core/execution.ts";
import rex from "../curation/metrics/rex.ts";
import type { Measured } from "./measured.ts";
import { median } from "./processor-time.ts";

const COLUMNS = 6;
const SMALL = 10_000;
const LARGE = 100_000;
/** Small results measured for each large one, so that both pay alike for collected memory. */
const SMALL_TABLES = 10;
const SCHEMA = { databaseId: "bench", tables: [], foreignKeys: [] };

/**
 * CPU of `rex` on a result of six columns against its own rows in another order, with its columns in another
 * order and without names in common: the gold is read afresh each time. Prints the growth from 10,000 to
 * 100,000 rows, where 10 is linear, and the rate.
 */
export async function benchRex(short: boolean): Promise<readonly Measured[]> {
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < (short ? 1 : 5); round += 1) {
    let small = 0;
    for (let count = 0; count < SMALL_TABLES; count += 1) small += secondsFor(SMALL) / SMALL_TABLES;
    const large = secondsFor(LARGE);
    ratios.push(large / small);
    rates.push(LARGE / large);
  }
  return Promise.resolve([
    { name: "rex, CPU of 100,000 rows / CPU of 10,000 rows (linear: 10)", value: median(ratios).toFixed(1) },
    { name: "rex, rows of 6 columns a CPU-second", value: median(rates).toFixed(0) },
  ]);
}

function secondsFor(rows: number): number {
  const gold = table(
    Array.from({ length: rows }, (_, index) => rowOf(index)),
    "gold",
  );
  const predicted = table(
    Array.from({ length: rows }, (_, index) => rowOf((index * 7919) % rows).reverse()),
    "predicted",
  );
  const before = process.cpuUsage();
  const verdict = judge(gold, predicted);
  const { user, system } = process.cpuUsage(before);
  if (verdict !== 1) throw new Error("rex must call the two results equal");
  return (user + system) / 1e6;
}

function judge(gold: ResultTable, predicted: ResultTable): number | undefined {
  const verdict = rex.judge({
    goldSql: "SELECT 1",
    predictedSql: "SELECT 1",
    gold,
    predicted,
    schema: SCHEMA,
  });
  return verdict.status === "scored" ? verdict.score : undefined;
}

/** Two columns of unique values, two of few, one of reals and one that is mostly NULL. */
function rowOf(index: number): Cell[] {
  const mixed = Math.imul(index, 2_654_435_761) >>> 0;
  return [
    BigInt(index),
    `name ${mixed}`,
    BigInt(mixed % 7),
    `kind ${mixed % 11}`,
    mixed / 1000,
    mixed % 5 === 0 ? BigInt(mixed % 97) : null,
  ];
}

function table(rows: readonly (readonly Cell[])[], names: string): ResultTable {
  return {
    execution: {
      status: "ok",
      message: "",
      rows: rows.length,
      columns: COLUMNS,
      digest: "",
      orderedDigest: "",
    },
    columnNames: Array.from({ length: COLUMNS }, (_, index) => `${names}_${index}`),
    rows,
    stream: () => rows,
  };
}
