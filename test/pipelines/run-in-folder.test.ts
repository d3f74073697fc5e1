import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { lockRun } from "../../io/run-lock.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { runInFolder } from "../../pipelines/run-in-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SERVICES = {
  databaseFolders: [],
  workers: 1,
  reporter: SILENT_REPORTER,
  signal: new AbortController().signal,
};

function request(runFolder: string, dryRun = false) {
  return { pipeline: [], runFolder, seed: 1, until: null, dryRun };
}

it("freezes the recipe beside the artifacts and gives up the lock at the end", async () => {
  const runFolder = path.join(await temporaryFolder(), "shops");
  await runInFolder(request(runFolder), SERVICES, { b: 2, a: 1 });
  expect(readFileSync(path.join(runFolder, "recipe.lock.json"), "utf8")).toBe('{"a":1,"b":2}\n');
  const lock = await lockRun(runFolder, "this test");
  lock.release();
});

it("is RUN_LOCKED while another writes, and leaves its recipe alone", async () => {
  const runFolder = path.join(await temporaryFolder(), "shops");
  await runInFolder(request(runFolder), SERVICES, { first: true });
  const lock = await lockRun(runFolder, "this test");
  const second = runInFolder(request(runFolder), SERVICES, { first: false });
  await expect(second).rejects.toMatchObject({
    code: "RUN_LOCKED",
    message: "cannot write to the run shops: this test holds it",
  });
  lock.release();
  expect(readFileSync(path.join(runFolder, "recipe.lock.json"), "utf8")).toBe('{"first":true}\n');
});

it("locks and writes nothing in a dry run", async () => {
  const runFolder = path.join(await temporaryFolder(), "shops");
  await runInFolder(request(runFolder, true), SERVICES, {});
  expect(existsSync(runFolder)).toBe(false);
});
