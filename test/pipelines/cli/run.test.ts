import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { filesBelow } from "../../e2e/raw-run.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("run"));

it("wrong usage exits with 2", async () => {
  await expectUsageError(["run"], "missing required argument 'config'");
  await expectUsageError(["run", "a.yaml", "b.yaml"], "too many arguments");
  await expectUsageError(["run", "configs/quickstart.yaml", "--workers", "0"], "--workers");
});

it("runs a config to its shards and says what came of it", async () => {
  const folder = await shopWorkspace();
  const finished = await runGradus(["run", "run.yaml"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^questions +12\n/m);
  expect(finished.stdout).toContain("runs/shops/shards/verl-rl");
  expect(finished.stdout).toMatch(/\n16 steps run, 0 reused\n$/);
  expect(finished.stderr).toContain("score: done, 12 golds, 12 samples");
  expect(filesBelow(path.join(folder, "runs/shops/shards/verl-rl"))).toContain("manifest.json");
});

it("--until stops after a step, --name names the run, --quiet says no progress", async () => {
  const folder = await shopWorkspace();
  const args = ["run", "run.yaml", "--until", "profile", "--name", "other", "--quiet"];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished).toMatchObject({ status: 0, stderr: "" });
  expect(finished.stdout).toMatch(/\n2 steps run, 0 reused\n$/);
  expect(filesBelow(path.join(folder, "runs/other/artifacts/profile"))).toHaveLength(2);
});

it("--dry-run makes nothing", async () => {
  const folder = await shopWorkspace();
  const finished = await runGradus(["run", "run.yaml", "--dry-run", "--json"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  const { steps } = JSON.parse(finished.stdout) as { steps: { status: string }[] };
  expect(new Set(steps.map((step) => step.status))).toEqual(new Set(["pending"]));
  expect(filesBelow(path.join(folder, "runs"))).toEqual([]);
});
