import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Finished, GradusProcess } from "./gradus-process.ts";
import { shopConfig, writeLargeDataset } from "./spider-fixture.ts";

const EXAMPLES = 100_000;
const LIMIT_BYTES = 400_000_000;
const POLL_MS = 20;
const MEGABYTE = 1_000_000;

/** The peak of the main process's memory, bytes, polled until it ends. */
async function peakOf(running: GradusProcess): Promise<{ peak: number; finished: Finished }> {
  for (let peak = 0; ; ) {
    peak = Math.max(peak, running.peakBytes());
    const finished = await Promise.race([running.finished, sleep(POLL_MS, undefined)]);
    if (finished !== undefined) return { peak, finished };
  }
}

const hasProc = existsSync("/proc/self/status");

describe.skipIf(!hasProc)(hasProc ? "memory" : "memory (not measured: there is no /proc)", () => {
  it(`of the main process stays below ${LIMIT_BYTES / MEGABYTE} MB from ${EXAMPLES} questions to imported answers`, async () => {
    const folder = await temporaryFolder();
    await writeLargeDataset(path.join(folder, "shops"), EXAMPLES);
    writeFileSync(path.join(folder, "run.yaml"), shopConfig());
    for (const step of ["load", "profile", "import"]) {
      const args = ["run", "run.yaml", "--until", step, "--json"];
      const { peak, finished } = await peakOf(new GradusProcess(args, { cwd: folder }));
      console.log(
        `${step}: the main process peaked at ${(peak / MEGABYTE).toFixed(1)} MB for ${EXAMPLES} questions`,
      );
      expect(finished.status, finished.stderr).toBe(0);
      expect(peak).toBeGreaterThan(30 * MEGABYTE);
      expect(peak).toBeLessThan(LIMIT_BYTES);
      const { funnel } = JSON.parse(finished.stdout) as { funnel: { name: string; count: number }[] };
      expect(funnel[0]).toEqual({ name: "questions", count: EXAMPLES, depth: 0 });
    }
  });
});
