import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { GradusProcess, PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { digestsBelow, falselyWhole } from "./raw-run.ts";

const ARGS = ["run", path.join(PROJECT_ROOT, "configs/quickstart.yaml")];

let undisturbed: Record<string, string>;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const finished = await runGradus(ARGS, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  undisturbed = digestsBelow(path.join(folder, "runs/quickstart/shards"));
  expect(Object.keys(undisturbed)).toHaveLength(16);
});

it.each(["SIGINT", "SIGKILL"] as const)(
  "%s at three places of the sampling, and the run goes on to the same bytes",
  async (signal) => {
    const folder = await temporaryFolder();
    for (const waitMs of [100, 600, 1200]) {
      const running = new GradusProcess(ARGS, { cwd: folder });
      await running.says("sample: started");
      await sleep(waitMs);
      running.kill(signal);
      const finished = await running.finished;
      await running.leavesNothing();
      if (waitMs === 100) expect(finished.stderr).not.toContain("sample: done");
      expect(finished.stderr).not.toMatch(/^\s+at /m);
      if (signal === "SIGINT") expect(finished.status, finished.stderr).toBe(130);
      expect(falselyWhole(path.join(folder, "runs/quickstart"))).toEqual([]);
    }
    const last = await runGradus(ARGS, { cwd: folder });
    expect(last.status, last.stderr).toBe(0);
    expect(digestsBelow(path.join(folder, "runs/quickstart/shards"))).toEqual(undisturbed);
    expect(falselyWhole(path.join(folder, "runs/quickstart"))).toEqual([]);
  },
);
