import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("profile"));

it("wrong usage exits with 2", () => expectUsageError(["profile"], "missing required argument 'target'"));

it("profiles the databases of a dataset for a person, and keeps them with the runs", async () => {
  const folder = await shopWorkspace();
  const finished = await runGradus(["profile", "spider", "--root", "./shops"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^north: \d+ tables?, \d+ columns$/m);
  expect(finished.stdout).toMatch(/^search index: \d+ names, \d+ values$/m);
  expect(readdirSync(path.join(folder, "runs/.profiles")).length).toBeGreaterThan(0);
});

it("profiles one, or a file, as JSON; and searches", async () => {
  const folder = await shopWorkspace();
  const chosen = ["--root", "./shops", "--database", "north", "--json"];
  const byName = await runGradus(["profile", "spider", ...chosen], { cwd: folder });
  expect(byName.status, byName.stderr).toBe(0);
  const [profile] = JSON.parse(byName.stdout) as [{ databaseId: string; tables: { name: string }[] }];
  expect(profile.databaseId).toBe("north");
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith(path.join("north", "north.sqlite")),
  );
  const name = profile.tables[0]?.name ?? "";
  const found = await runGradus(["profile", file ?? "", "--search", name, "--words"], { cwd: folder });
  expect(found.status, found.stderr).toBe(0);
  expect(found.stdout).toContain(`table ${name}`);
});

it("a database that is not there is wrong usage", async () => {
  const folder = await shopWorkspace();
  const args = ["profile", "spider", "--root", "./shops", "--database", "nowhere"];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished.stderr).toContain("spider has no files of nowhere");
  expect(finished.status).toBe(2);
});

it("a file that is no database is a failure, and others are shown all the same", async () => {
  const folder = await shopWorkspace();
  writeFileSync(path.join(folder, "notes.sqlite"), "just some text, no database at all");
  const finished = await runGradus(["profile", "notes.sqlite"], { cwd: folder });
  expect(finished.status).toBe(1);
  expect(finished.stdout).toBe("");
  expect(finished.stderr).toContain("cannot read notes (");
});

it.each([
  [["nope.sqlite"], 'there is no file and no loader "nope.sqlite"'],
  [["spider", "--root", "./shops", "--search", " "], '--search got ""'],
  [["spider", "--root", "./shops", "--words"], "--words says how to search"],
  [["gradus.yaml", "--database", "x"], "--database goes with a dataset"],
])("refuses %j", async (args, message) => {
  const folder = await shopWorkspace();
  writeFileSync(path.join(folder, "gradus.yaml"), "");
  const finished = await runGradus(["profile", ...args], { cwd: folder });
  expect(finished.stderr).toContain(message);
  expect(finished.status).toBe(2);
});
