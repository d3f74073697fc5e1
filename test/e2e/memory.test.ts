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
  let finished: Finished | undefined;
  void running.finished.then((end) => (finished = end));
  let peak = 0;
  while (finished === undefined) {
    peak = Math.max(peak, running.peakBytes());
    await sleep(POLL_MS);
  }
  return { peak, finished };
}

const hasProc = existsSync("/proc/self/status");

describe.skipIf(!hasProc)(hasProc ? "memory" : "memory (not measured: there is no /proc)", () => {
  it(`of the main process stays below ${LIMIT_BYTES / MEGABYTE} MB from ${EXAMPLES} questions to answers`, async () => {
    const folder = await temporaryFolder();
    await writeLargeDataset(path.join(folder, "shops"), EXAMPLES);
    const answers = { simulate: { model: { name: "simulated" }, samples: 1, competence: 0.5 } };
    writeFileSync(path.join(folder, "run.yaml"), shopConfig({ answers }));
    for (const step of ["load", "profile", "simulate"]) {
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
