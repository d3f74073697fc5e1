import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runTrainer, type TrainerRequest } from "../../io/trainer-process.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function request(script: string, parts: Partial<TrainerRequest> = {}): Promise<TrainerRequest> {
  return {
    command: ["/bin/sh", "-c", script],
    folder: path.join(await temporaryFolder(), "training"),
    environment: { GRADUS_ROUND: "1" },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onStarted: () => undefined,
    ...parts,
  };
}

describe("runTrainer", () => {
  it("gives standard output, keeps the logs, and takes a result that is there", async () => {
    const asked = await request('echo "round $GRADUS_ROUND"; echo loud >&2');
    expect(await runTrainer(asked)).toBe("round 1\n");
    expect(readFileSync(path.join(asked.folder, "stderr.log"), "utf8")).toBe("loud\n");
    expect(await runTrainer(asked)).toBe("round 1\n");
  });

  it("says how it failed, and starts anew the next time", async () => {
    const asked = await request("echo broken >&2; exit 3");
    await expect(runTrainer(asked)).rejects.toMatchObject({ code: "TRAINER_FAILED" });
    await expect(runTrainer(asked)).rejects.toThrow(/ended with status 3; it said last: broken/);
    expect(await runTrainer({ ...asked, command: ["echo", "mended"] })).toBe("mended\n");
  });

  it("ends what takes too long, and what is to stop", async () => {
    const late = await request("sleep 30", { timeoutMs: 200 });
    await expect(runTrainer(late)).rejects.toMatchObject({ code: "TRAINER_TIMED_OUT" });
    const controller = new AbortController();
    const stopped = await request("sleep 30", {
      signal: controller.signal,
      onStarted: () => controller.abort(),
    });
    await expect(runTrainer(stopped)).rejects.toMatchObject({ code: "INTERRUPTED" });
  });

  it("finds one that still runs and watches it", async () => {
    const asked = await request('while [ ! -e "$GRADUS_GO" ]; do sleep 0.02; done; echo done');
    const go = path.join(path.dirname(asked.folder), "go");
    const environment = { GRADUS_GO: go };
    const started: boolean[] = [];
    const onStarted = (_pid: number, isFound: boolean): void => {
      started.push(isFound);
    };
    const first = runTrainer({ ...asked, environment, onStarted });
    while (!existsSync(path.join(asked.folder, "pid")))
      await new Promise((resolve) => setTimeout(resolve, 10));
    const second = runTrainer({ ...asked, environment, onStarted });
    while (started.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    writeFileSync(go, "");
    expect(await Promise.all([first, second])).toEqual(["done\n", "done\n"]);
    expect(new Set(started)).toEqual(new Set([false, true]));
  });
});
