import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("status"));

it("wrong usage exits with 2", () => expectUsageError(["status"], "missing required argument 'run'"));

it("shows progress and funnel of a run, without its config and its sources", async () => {
  const folder = await shopWorkspace();
  await runGradus(["run", "run.yaml", "--until", "score", "--quiet"], { cwd: folder });
  const finished = await runGradus(["status", "shops"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^score +done$/m);
  expect(finished.stdout).toMatch(/^export-verl-rl +would run$|^filter +would run$/m);
  expect(finished.stdout).toMatch(/^questions +12\n/m);
});
