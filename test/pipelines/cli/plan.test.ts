import path from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { filesBelow } from "../../e2e/raw-run.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("plan"));

it("wrong usage exits with 2", () => expectUsageError(["plan"], "missing required argument 'config'"));

it("says what would run, makes nothing, and says why a step would run again", async () => {
  const folder = await shopWorkspace();
  const before = await runGradus(["plan", "run.yaml"], { cwd: folder });
  expect(before.status, before.stderr).toBe(0);
  expect(before.stdout).toMatch(/^load +would run$/m);
  expect(filesBelow(path.join(folder, "runs"))).toEqual([]);
  await runGradus(["run", "run.yaml", "--until", "import", "--quiet"], { cwd: folder });
  const file = path.join(folder, "shops/answers.txt");
  writeFileSync(file, readFileSync(file, "utf8").replace("SELECT id", "SELECT staff"));
  const after = await runGradus(["plan", "run.yaml"], { cwd: folder });
  expect(after.stdout).toMatch(
    /^load +done\nprofile +done\nimport +would run again: file answers\.txt changed$/m,
  );
});
