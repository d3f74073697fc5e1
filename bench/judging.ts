import path from "node:path";
import { SILENT_REPORTER } from "../pipelines/reporter.ts";
import { openServices } from "../pipelines/run-services.ts";
import { databaseLocator } from "../io/locate-database.ts";
import { SqlEngine } from "../io/sql-engine.ts";
import { sharedFolder } from "../test/shared-folder.ts";
import type { Measured } from "./measured.ts";
import { median, processorSeconds } from "./processor-time.ts";
import { type JudgedGroup, tenSystemGroups } from "./ten-systems.ts";

const LIMITS = { cpuMs: 30_000, maxRows: 1_000_000, maxBytes: 1 << 28 };

/**
 * CPU of judging the ten-system groups with `bird-ex`, all processes, against a bare loop in one process that
 * runs each distinct query of each database once and reads its rows. Alternates and takes the median ratio.
 */
export async function benchJudging(short: boolean): Promise<readonly Measured[]> {
  const shared = sharedFolder();
  if (shared === undefined) return [{ name: "judging", value: "skipped: needs the shared data folder" }];
  const locate = databaseLocator([path.join(shared, "data/spider/database")]);
  const groups = (await tenSystemGroups(shared)).filter((group) => locate(group.databaseId) !== null);
  const pairs = groups.reduce((sum, group) => sum + group.predictions.length, 0);
  const repeats = short ? 1 : 5;
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < (short ? 1 : 5); round += 1) {
    const bare = bareLoop(groups, locate, repeats);
    const judged = await judge(groups, path.join(shared, "data/spider/database"), repeats);
    ratios.push(judged / bare);
    rates.push((pairs * repeats) / judged);
  }
  return [
    {
      name: "judging, CPU of all processes / bare loop over distinct queries",
      value: median(ratios).toFixed(2),
    },
    { name: "judging, pairs a CPU-second", value: median(rates).toFixed(0) },
  ];
}

function bareLoop(
  groups: readonly JudgedGroup[],
  locate: (id: string) => string | null,
  repeats: number,
): number {
  const queries = new Map<string, Set<string>>();
  for (const group of groups) {
    const known = queries.get(group.databaseId) ?? new Set();
    for (const sql of [group.gold, ...group.predictions]) known.add(sql);
    queries.set(group.databaseId, known);
  }
  const before = processorSeconds().own;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const [databaseId, known] of queries) {
      const engine = SqlEngine.open(locate(databaseId) as string, { mode: "query" });
      for (const sql of known) engine.run(sql, LIMITS);
      engine.close();
    }
  }
  return processorSeconds().own - before;
}

async function judge(groups: readonly JudgedGroup[], folder: string, repeats: number): Promise<number> {
  const before = processorSeconds();
  const signal = new AbortController().signal;
  const services = openServices({
    databaseFolders: [folder],
    workers: 2,
    reporter: SILENT_REPORTER,
    signal,
  });
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    await Promise.all(
      groups.map(({ databaseId, gold, predictions }) =>
        services.judge.judge({
          database: {
            databaseId,
            status: "ok",
            message: "",
            digest: "",
            bytes: 0,
            schema: { databaseId, tables: [], foreignKeys: [] },
            describedForeignKeys: null,
            rowCounts: [],
            values: [],
          },
          gold: [gold],
          predictions: [...new Set(predictions)],
          metrics: ["bird-ex"],
          goldLimits: LIMITS,
          predictionLimits: LIMITS,
        }),
      ),
    );
  }
  await services.close();
  const after = processorSeconds();
  return after.own - before.own + (after.children - before.children);
}
