import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { makeScratchFolder, removeLeftFolders } from "../../io/scratch-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The id of a process that has ended. */
function gonePid(): number {
  return Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));
}

it("makes a folder of its own each time", () => {
  const folders = [makeScratchFolder("test"), makeScratchFolder("test")];
  expect(folders[0]).not.toBe(folders[1]);
  for (const folder of folders) {
    expect(existsSync(folder)).toBe(true);
    rmSync(folder, { recursive: true });
  }
});

it("removes what dead processes left, and nothing else", async () => {
  const folder = await temporaryFolder();
  const left = `gradus-sql-${gonePid()}-abc`;
  const names = [left, `gradus-sql-${process.pid}-abc`, "gradus-sql-old", "other-1-abc"];
  for (const name of names) mkdirSync(path.join(folder, name));
  removeLeftFolders(folder);
  expect(names.filter((name) => existsSync(path.join(folder, name)))).toEqual(names.slice(1));
});
