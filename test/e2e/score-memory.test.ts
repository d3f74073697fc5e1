import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Finished, GradusProcess } from "./gradus-process.ts";
import { jsonLines, type RawRow } from "./raw-run.ts";
import { writeShopDatabase } from "./spider-fixture.ts";

const LINES = 100_000;
const DATABASES = 50;
const LIMIT_BYTES = 500_000_000;
const POLL_MS = 50;
const MEGABYTE = 1_000_000;

/** A step through the lines that visits each once, far from the one before. */
const STRIDE = 61_803;

/** Runs to the end; `peak` is the largest sum of the peaks of all its processes, bytes. */
async function measured(args: readonly string[], cwd: string): Promise<{ peak: number; finished: Finished }> {
  const running = new GradusProcess(args, { cwd });
  for (let peak = 0; ; ) {
    peak = Math.max(peak, running.peakBytesOfAll());
    const finished = await Promise.race([running.finished, sleep(POLL_MS, undefined)]);
    if (finished !== undefined) return { peak, finished };
  }
}

async function scored(folder: string, lines: readonly object[]): Promise<{ peak: number; rows: RawRow[] }> {
  writeFileSync(path.join(folder, "pairs.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const args = ["score", "--pairs", "pairs.jsonl", "--databases", "shops/database", "--out", "judged.jsonl"];
  const { peak, finished } = await measured([...args, "--workers", "2", "--quiet"], folder);
  expect(finished.status, finished.stderr).toBe(0);
  return { peak, rows: jsonLines(path.join(folder, "judged.jsonl")) };
}

function scoresOf(rows: readonly RawRow[]): unknown[] {
  return rows.map((row) => (row["verdicts"] as Record<string, { score?: number }>)["bird-ex"]?.score);
}

const hasProc = existsSync("/proc/self/status");

describe.skipIf(!hasProc)(
  hasProc ? "memory of gradus score" : "memory of gradus score (there is no /proc)",
  () => {
    it(`stays below ${LIMIT_BYTES / MEGABYTE} MB in all processes for ${LINES} lines, no two on one database in a row`, async () => {
      const folder = await temporaryFolder();
      for (let index = 0; index < DATABASES; index += 1) {
        writeShopDatabase(path.join(folder, "shops"), `shop_${index}`);
      }
      // The shops have 3, 5 and 9 people, so that every third line is right and no two statements are the same.
      const lines = Array.from({ length: LINES }, (_, index) => {
        const id = (index * STRIDE) % LINES;
        const pred = `SELECT name FROM shop WHERE staff > ${id % 3 === 0 ? 4 : 8} AND id < ${10 + id}`;
        return { id, db_id: `shop_${id % DATABASES}`, gold: "SELECT name FROM shop WHERE staff >= 5", pred };
      });
      const { peak, rows } = await scored(folder, lines);
      console.log(
        `gradus score: all processes peaked at ${(peak / MEGABYTE).toFixed(0)} MB for ${LINES} lines`,
      );
      expect(rows.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
      expect(scoresOf(rows)).toEqual(lines.map(({ id }) => (id % 3 === 0 ? 1 : 0)));
      expect(peak).toBeGreaterThan(100 * MEGABYTE);
      expect(peak).toBeLessThan(LIMIT_BYTES);
    });

    it(`stays below ${LIMIT_BYTES / MEGABYTE} MB where results have a million rows`, async () => {
      const folder = await temporaryFolder();
      writeShopDatabase(path.join(folder, "shops"), "shop");
      const many = (columns: string, order: string): string =>
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) " +
        `SELECT ${columns} FROM n ORDER BY i ${order}`;
      const gold = many("i, 'number ' || i", "ASC");
      const lines = [
        { db_id: "shop", gold, pred: many("i + 0.0, 'number ' || i", "DESC") },
        { db_id: "shop", gold, pred: many("i, 'number ' || (i - (i = 777777))", "ASC") },
      ];
      const { peak, rows } = await scored(folder, lines);
      console.log(
        `gradus score: all processes peaked at ${(peak / MEGABYTE).toFixed(0)} MB for a million rows`,
      );
      expect(scoresOf(rows)).toEqual([1, 0]);
      expect(peak).toBeLessThan(LIMIT_BYTES);
    });
  },
);
