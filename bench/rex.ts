import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Cell, ResultTable } from "../core/execution.ts";
import rex from "../curation/metrics/rex.ts";
import type { Measured } from "./measured.ts";
import { median } from "./processor-time.ts";

const COLUMNS = 6;
/** Rows of a result; of the smaller ones as many results are judged as have the rows of the largest. */
const SIZES = [1_000, 10_000, 100_000] as const;
const LARGEST = 100_000;
const ROUNDS = 5;
/** Pairs judged before measuring, so that code is compiled again that the garbage collector let go of. */
const WARM_UP = 4;
const SETTLE_MS = 200;
const SCHEMA = { databaseId: "bench", tables: [], foreignKeys: [] };

interface Pair {
  readonly gold: ResultTable;
  readonly predicted: ResultTable;
}

/**
 * CPU of `rex` on a result of six columns against its own rows in another order, with its columns in another
 * order and without names in common: the gold is read afresh each time. Prints the growth from 10,000 to
 * 100,000 rows and from 1,000 to 10,000, where 10 is linear, each with its exponent, and the rate.
 *
 * All pairs are made before the first is judged, so that those of every size lie equally far from the processor, and
 * the garbage of making them is collected, which would else be charged to whichever is judged next. The order of the
 * sizes changes from round to round. The texts of the gold are looked up in another order than they lie in, so that a
 * result that the processor's caches do not hold costs more a cell, though the work a cell is the same.
 */
export async function benchRex(short: boolean): Promise<readonly Measured[]> {
  const collectGarbage = garbageCollector();
  const upper: number[] = [];
  const lower: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < (short ? 1 : ROUNDS); round += 1) {
    const [tiny, small, large] = await secondsOfSizes(round, collectGarbage);
    upper.push((10 * large) / small);
    lower.push((10 * small) / tiny);
    rates.push(LARGEST / large);
  }
  return [
    growth("rex, CPU of 100,000 rows / CPU of 10,000 rows", median(upper)),
    growth("rex, CPU of 10,000 rows / CPU of 1,000 rows", median(lower)),
    { name: "rex, rows of 6 columns a CPU-second", value: median(rates).toFixed(0) },
  ];
}

/** CPU for the rows of the largest result in results of each size, the smallest first. */
async function secondsOfSizes(round: number, collectGarbage: () => void): Promise<[number, number, number]> {
  collectGarbage();
  const pairs = SIZES.map((rows) => pairsOf(rows, LARGEST / rows));
  const warmUp = pairsOf(SIZES[1], WARM_UP);
  collectGarbage();
  await setTimeout(SETTLE_MS);
  secondsFor(warmUp);
  await setTimeout(SETTLE_MS);
  const seconds: [number, number, number] = [0, 0, 0];
  for (let count = 0; count < SIZES.length; count += 1) {
    const index = (count + round) % SIZES.length;
    seconds[index] = secondsFor(pairs[index] as Pair[]);
  }
  return seconds;
}

function growth(name: string, ratio: number): Measured {
  const exponent = Math.log10(ratio).toFixed(2);
  return { name: `${name} (linear: 10, exponent 1)`, value: `${ratio.toFixed(1)}, exponent ${exponent}` };
}

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

function pairsOf(rows: number, count: number): Pair[] {
  return Array.from({ length: count }, () => ({
    gold: table(
      Array.from({ length: rows }, (_, index) => rowOf(index)),
      "gold",
    ),
    predicted: table(
      Array.from({ length: rows }, (_, index) => rowOf((index * 7919) % rows).reverse()),
      "predicted",
    ),
  }));
}

function secondsFor(pairs: readonly Pair[]): number {
  const before = process.cpuUsage();
  const verdicts = pairs.map(({ gold, predicted }) => judge(gold, predicted));
  const { user, system } = process.cpuUsage(before);
  if (verdicts.some((verdict) => verdict !== 1)) throw new Error("rex must call the two results equal");
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
    flat(`name ${mixed}`),
    BigInt(mixed % 7),
    flat(`kind ${mixed % 11}`),
    mixed / 1000,
    mixed % 5 === 0 ? BigInt(mixed % 97) : null,
  ];
}

/** The text in one piece, as an engine gives it; put together from parts it would be copied when first read. */
function flat(text: string): string {
  return Buffer.from(text).toString("latin1");
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
