import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { GradusProcess } from "./gradus-process.ts";
import { writeLargeDataset } from "./spider-fixture.ts";

const QUESTIONS = 100_000;
const LIMIT_BYTES = 450_000_000;
const POLL_MS = 50;
const MEGABYTE = 1_000_000;

interface Printed {
  readonly accuracy: readonly { readonly group: string; readonly n: number; readonly mean: number }[];
}

const hasProc = existsSync("/proc/self/status");

describe.skipIf(!hasProc)(
  hasProc ? "memory of gradus evaluate" : "memory of gradus evaluate (there is no /proc)",
  () => {
    it(`stays below ${LIMIT_BYTES / MEGABYTE} MB in the main process for ${QUESTIONS} predictions`, async () => {
      const folder = await temporaryFolder();
      await writeLargeDataset(path.join(folder, "shops"), QUESTIONS);
      const dataset = ["--dataset", "spider", "--root", path.join(folder, "shops"), "--split", "train"];
      const args = ["evaluate", "--predictions", "shops/answers.txt", ...dataset, "--workers", "2", "--json"];
      const running = new GradusProcess(args, { cwd: folder });
      let peak = 0;
      let finished;
      while (finished === undefined) {
        peak = Math.max(peak, running.peakBytes());
        finished = await Promise.race([running.finished, sleep(POLL_MS, undefined)]);
      }
      console.log(`gradus evaluate: the main process peaked at ${(peak / MEGABYTE).toFixed(0)} MB`);
      expect(finished.status, finished.stderr).toBe(0);
      const { accuracy } = JSON.parse(finished.stdout) as Printed;
      expect(accuracy.find(({ group }) => group === "all")).toMatchObject({ n: QUESTIONS, mean: 1 });
      expect(peak).toBeGreaterThan(50 * MEGABYTE);
      expect(peak).toBeLessThan(LIMIT_BYTES);
    });
  },
);
