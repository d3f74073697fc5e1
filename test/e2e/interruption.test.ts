import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { GradusProcess, runGradus } from "./gradus-process.ts";
import { digestsBelow, falselyWhole, filesBelow, stepsOf } from "./raw-run.ts";
import { shopWorkspace } from "./shop-workspace.ts";
import { type FixtureQuestion, shopQuestions, slowQuery } from "./spider-fixture.ts";

const ARGS = ["run", "run.yaml", "--workers", "2"];
const COUNT_TO = 700_000;

/** For a run that another command must meet while it runs. */
const COUNT_LONG = 4_000_000;

/** The shop questions with answers that keep two workers busy for some seconds. */
function slowQuestions(countTo = COUNT_TO): FixtureQuestion[] {
  return shopQuestions(24).map((question, index) =>
    index % 3 === 0 ? { ...question, answer: slowQuery(countTo + index, index % 9) } : question,
  );
}

function shardsOf(folder: string): Record<string, string> {
  return digestsBelow(path.join(folder, "runs/shops/shards"));
}

/** Starts a run with temporary files of its own, and waits until its workers run queries. */
async function startedScoring(folder: string): Promise<GradusProcess> {
  const running = new GradusProcess(ARGS, { cwd: folder, env: { TMPDIR: await temporaryFolder() } });
  await running.says("score: started");
  await running.hasWorkers(2);
  await sleep(300);
  return running;
}

let undisturbed: Record<string, string>;

beforeAll(async () => {
  const folder = await shopWorkspace({}, slowQuestions());
  const finished = await runGradus(ARGS, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  undisturbed = shardsOf(folder);
  expect(Object.keys(undisturbed)).toHaveLength(16);
});

async function expectSameAfterRerun(folder: string): Promise<void> {
  expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
  const finished = await runGradus(ARGS, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stderr).toContain("import: done before");
  expect(shardsOf(folder)).toEqual(undisturbed);
  expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
}

describe("an interrupt in the middle of a step", () => {
  it.each([
    ["SIGINT to the process", (running: GradusProcess) => running.kill("SIGINT")],
    [
      "SIGINT to all its processes, as from a terminal",
      (running: GradusProcess) => running.killGroup("SIGINT"),
    ],
    ["SIGTERM to the process", (running: GradusProcess) => running.kill("SIGTERM")],
  ])("%s ends with 130, keeps what is finished, and leaves no process", async (_name, interrupt) => {
    const folder = await shopWorkspace({}, slowQuestions());
    const running = await startedScoring(folder);
    interrupt(running);
    const finished = await running.finished;
    await running.leavesNothing();
    expect(finished.status, finished.stderr).toBe(130);
    expect(finished.stderr).toContain("INTERRUPTED: ");
    expect(finished.stderr).not.toMatch(/^\s+at /m);
    expect(stepsOf(path.join(folder, "runs/shops"))).toEqual(["import", "load", "profile"]);
    expect(existsSync(path.join(folder, "runs/shops/shards"))).toBe(false);
    await expectSameAfterRerun(folder);
  });

  it("leaves no temporary file", async () => {
    const folder = await shopWorkspace({}, slowQuestions());
    const temporary = await temporaryFolder();
    const running = new GradusProcess(ARGS, { cwd: folder, env: { TMPDIR: temporary } });
    await running.hasWorkers(2);
    running.kill("SIGINT");
    await running.finished;
    await running.leavesNothing();
    expect(filesBelow(temporary)).toEqual([]);
  });

  it("a second one ends it at once", async () => {
    const folder = await shopWorkspace({}, slowQuestions());
    const running = await startedScoring(folder);
    running.kill("SIGINT");
    running.kill("SIGINT");
    const finished = await running.finished;
    await running.leavesNothing();
    expect(finished.status).toBe(130);
    await expectSameAfterRerun(folder);
  });
});

describe("kill -9", () => {
  it("in the middle of queries leaves no worker, and the next run makes the same bytes", async () => {
    const folder = await shopWorkspace({}, slowQuestions());
    const running = await startedScoring(folder);
    running.kill("SIGKILL");
    const finished = await running.finished;
    await running.leavesNothing();
    expect(finished.signal).toBe("SIGKILL");
    await expectSameAfterRerun(folder);
  });

  it("at the start of every step in turn, and the last run makes the same bytes", async () => {
    const folder = await shopWorkspace({}, slowQuestions());
    const killed: string[] = [];
    for (;;) {
      const done = existsSync(path.join(folder, "runs/shops/latest.json"))
        ? stepsOf(path.join(folder, "runs/shops"))
        : [];
      const running = new GradusProcess(ARGS, { cwd: folder });
      const next = await firstStepStarted(running, killed);
      if (next === undefined) break;
      running.kill("SIGKILL");
      await running.finished;
      await running.leavesNothing();
      expect(done).not.toContain(next);
      expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
      killed.push(next);
    }
    expect(killed.length).toBeGreaterThan(12);
    expect(shardsOf(folder)).toEqual(undisturbed);
    expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
  });
});

/** Waits until a step starts that was not killed before, and names it; `undefined` when the run ends first. */
async function firstStepStarted(
  running: GradusProcess,
  before: readonly string[],
): Promise<string | undefined> {
  let ended = false;
  void running.finished.then(() => (ended = true));
  for (;;) {
    const started = [...running.standardError.matchAll(/^(\S+): started/gm)].map((found) => found[1] ?? "");
    const fresh = started.find((step) => !before.includes(step));
    if (fresh !== undefined) return fresh;
    if (ended) {
      expect((await running.finished).status, running.standardError).toBe(0);
      await running.leavesNothing();
      return undefined;
    }
    await sleep(2);
  }
}

describe("a second writer", () => {
  it("is refused with the holder's name while the first writes, and the first goes on", async () => {
    const folder = await shopWorkspace({}, slowQuestions(COUNT_LONG));
    const first = await startedScoring(folder);
    const second = await runGradus([...ARGS, "--quiet"], { cwd: folder });
    expect(second.stderr).toMatch(/^RUN_LOCKED: /);
    expect(second.stderr).toContain(`process ${first.pid} `);
    expect(second.status).toBe(1);
    const finished = await first.finished;
    await first.leavesNothing();
    expect(finished.status, finished.stderr).toBe(0);
    expect(Object.keys(shardsOf(folder))).toEqual(Object.keys(undisturbed));
    expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
  });

  it("may write after the first was killed", async () => {
    const folder = await shopWorkspace({}, slowQuestions());
    const first = await startedScoring(folder);
    first.kill("SIGKILL");
    await first.finished;
    expect(readFileSync(path.join(folder, "runs/shops/lock.holder"), "utf8")).toContain(String(first.pid));
    await expectSameAfterRerun(folder);
  });

  it("may ask for the status meanwhile", async () => {
    const folder = await shopWorkspace({}, slowQuestions(COUNT_LONG));
    const first = await startedScoring(folder);
    const status = await runGradus(["status", "shops"], { cwd: folder });
    expect(status.status, status.stderr).toBe(0);
    expect(status.stdout).toMatch(/^score +would run$/m);
    expect((await first.finished).status).toBe(0);
    await first.leavesNothing();
  });
});
