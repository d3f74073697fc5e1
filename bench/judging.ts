import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Database } from "../core/database.ts";
import { databaseLocator } from "../io/locate-database.ts";
import { openConnection } from "../io/sql-driver.ts";
import { createSqlJudge, type SqlJudge } from "../pipelines/sql-judge.ts";
import { installedPython } from "../test/interop/environment.ts";
import { sharedFolder } from "../test/shared-folder.ts";
import type { Measured } from "./measured.ts";
import { median, processorSeconds } from "./processor-time.ts";
import { type JudgedGroup, tenSystemGroups } from "./ten-systems.ts";

const LIMITS = { cpuMs: 30_000, maxRows: 1_000_000, maxBytes: 1 << 28 };
const ROUNDS = 5;
const WARM_REPEATS = 5;

/** CPU time that each side of a round is repeated for, at least once; seconds. */
const SIDE_SECONDS = 10;

interface Groups {
  readonly groups: readonly JudgedGroup[];
  readonly locate: (databaseId: string) => string | null;
  /** Pairs of a group's gold and one system's answer, equal ones counted. */
  readonly pairs: number;
}

/**
 * CPU of judging the ten-system groups with `bird-ex`, all processes, over that of a bare loop in one process: the
 * same driver, a connection a database, each distinct statement prepared and read to its end, nothing done with its
 * rows. And pairs a CPU-second over those of Python's `sqlite3` with the official semantics: a connection and a thread
 * with a time limit for each pair. All sides are warm and repeat their work; what was judged is not remembered from one
 * repeat to the next. Medians of the ratios within a round.
 */
export async function benchJudging(short: boolean): Promise<readonly Measured[]> {
  const shared = sharedFolder();
  if (shared === undefined) return [{ name: "judging", value: "skipped: needs the shared data folder" }];
  const locate = databaseLocator([path.join(shared, "data/spider/database")]);
  const groups = (await tenSystemGroups(shared)).filter((group) => locate(group.databaseId) !== null);
  const pairs = groups.reduce((sum, group) => sum + group.predictions.length, 0);
  const all = { groups, locate, pairs };
  const python = installedPython();
  const seconds = short ? 0 : SIDE_SECONDS;
  const ratios: number[] = [];
  const rates: number[] = [];
  const factors: number[] = [];
  const judge = createSqlJudge({ workers: 2, databasePath: locate });
  try {
    for (let repeat = 0; repeat < (short ? 1 : WARM_REPEATS); repeat += 1) {
      await judgeOnce(judge, all);
      await runBare(all);
    }
    for (let round = 0; round < (short ? 1 : ROUNDS); round += 1) {
      const bare = await secondsOfOne(() => runBare(all), ownSeconds, seconds);
      const judged = await secondsOfOne(
        () => judgeOnce(judge, all),
        () => allSeconds(judge),
        seconds,
      );
      ratios.push(judged / bare);
      rates.push(pairs / judged);
      if (python !== undefined) factors.push(pairs / judged / pythonRate(python, all, seconds));
    }
  } finally {
    await judge.close();
  }
  const factor = median(factors).toFixed(1);
  return [
    {
      name: "judging, CPU of all processes / bare loop over distinct queries",
      value: median(ratios).toFixed(2),
    },
    { name: "judging, pairs a CPU-second", value: median(rates).toFixed(0) },
    {
      name: "judging, pairs a CPU-second / the official loop in Python",
      value: python === undefined ? "skipped: npm run test:interop installs the Python" : factor,
    },
  ];
}

/** CPU seconds of one repeat, repeated until they sum up to `seconds`. */
async function secondsOfOne(
  repeat: () => Promise<void>,
  clock: () => number,
  seconds: number,
): Promise<number> {
  const start = clock();
  for (let repeats = 1; ; repeats += 1) {
    await repeat();
    const used = clock() - start;
    if (used >= seconds) return used / repeats;
  }
}

function ownSeconds(): number {
  return processorSeconds().own;
}

function allSeconds(judge: SqlJudge): number {
  const workers = judge.processIds().map((pid) => processorSeconds(pid).own);
  const { own, children } = processorSeconds();
  return own + children + workers.reduce((sum, one) => sum + one, 0);
}

async function runBare({ groups, locate }: Groups): Promise<void> {
  const statements = new Map<string, Set<string>>();
  for (const group of groups) {
    const known = statements.get(group.databaseId) ?? new Set();
    for (const sql of [group.gold, ...group.predictions]) known.add(sql);
    statements.set(group.databaseId, known);
  }
  for (const [databaseId, known] of statements) {
    const connection = openConnection(locate(databaseId) as string, {
      readOnly: true,
      enableDoubleQuotedStringLiterals: true,
      readBigInts: true,
      returnArrays: true,
    });
    for (const sql of known) {
      try {
        connection.prepare(sql).all();
      } catch {
        // What fails, fails on all sides.
      }
    }
    connection.close();
  }
  // Statements that the collector found are ended in a turn of the event loop: that is a part of this side's work.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function judgeOnce(judge: SqlJudge, { groups }: Groups): Promise<void> {
  const judging = groups.map(({ databaseId, gold, predictions }) =>
    judge.judge({
      database: unlooked(databaseId),
      gold: [gold],
      predictions,
      metrics: ["bird-ex"],
      goldLimits: LIMITS,
      predictionLimits: LIMITS,
    }),
  );
  await Promise.all(judging);
}

const databases = new Map<string, Database>();

function unlooked(databaseId: string): Database {
  const database = databases.get(databaseId) ?? {
    databaseId,
    status: "ok",
    message: "",
    digest: "",
    bytes: 0,
    schema: { databaseId, tables: [], foreignKeys: [] },
    describedForeignKeys: null,
    rowCounts: [],
    values: [],
  };
  databases.set(databaseId, database);
  return database;
}

/** Pairs a CPU-second of `official-loop.py`. */
function pythonRate(python: string, { groups, locate }: Groups, seconds: number): number {
  const folder = mkdtempSync(path.join(tmpdir(), "gradus-bench-"));
  try {
    const file = path.join(folder, "pairs.jsonl");
    const lines = groups.flatMap(({ databaseId, gold, predictions }) =>
      predictions.map((pred) => `${JSON.stringify({ path: locate(databaseId), gold, pred })}\n`),
    );
    writeFileSync(file, lines.join(""));
    const loop = path.join(path.dirname(fileURLToPath(import.meta.url)), "official-loop.py");
    const { stdout, stderr, status } = spawnSync(python, [loop, file, String(seconds)], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the loop in Python failed: ${stderr}`);
    return (JSON.parse(stdout) as { rate: number }).rate;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
