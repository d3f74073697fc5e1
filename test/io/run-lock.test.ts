import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lockRun } from "../../io/run-lock.ts";
import { startScript } from "../fakes/child-script.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("lockRun", () => {
  it("keeps every other process out while one holds it, and names the holder", async () => {
    const run = path.join(await temporaryFolder(), "quickstart");
    const lock = await lockRun(run, "process 4711 (gradus run quickstart)");
    const other = startScript("hold-run-lock", run, "the other");
    expect(await other.line()).toBe(
      "RUN_LOCKED: cannot write to the run quickstart: process 4711 (gradus run quickstart) holds it",
    );
    expect(await other.line()).toBe("hint: wait until it is done, stop it, or choose another --name");
    await other.ended;
    lock.release();
    const later = await lockRun(run, "process 4712");
    later.release();
  });

  it("is free once its holder was killed, and then names the new holder", async () => {
    const run = path.join(await temporaryFolder(), "killed");
    const holder = startScript("hold-run-lock", run, "the first");
    expect(await holder.line()).toBe("locked");
    await expect(lockRun(run, "me")).rejects.toMatchObject({
      code: "RUN_LOCKED",
      message: "cannot write to the run killed: the first holds it",
    });
    holder.kill("SIGKILL");
    await holder.ended;
    const lock = await lockRun(run, "the second");
    await expect(lockRun(run, "me")).rejects.toMatchObject({
      message: "cannot write to the run killed: the second holds it",
    });
    lock.release();
  });

  it("of one run does not hold another", async () => {
    const runs = await temporaryFolder();
    const one = await lockRun(path.join(runs, "one"), "a");
    const two = await lockRun(path.join(runs, "two"), "a");
    one.release();
    two.release();
  });

  it("does not blame a holder when the lock's file is broken", async () => {
    const run = await temporaryFolder({
      "lock.sqlite": "this is no database, and long enough to be seen as such",
    });
    await expect(lockRun(run, "me")).rejects.toMatchObject({ code: "FILE_FAILED" });
    const other = await temporaryFolder();
    mkdirSync(path.join(other, "lock.sqlite"));
    await expect(lockRun(other, "me")).rejects.toMatchObject({ code: "FILE_FAILED" });
  });
});
