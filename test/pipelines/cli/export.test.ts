import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("export"));

it("wrong usage exits with 2", () =>
  expectUsageError(["export", "shops"], "required option '--to <exporters>'"));

it("writes shards of a finished run in another form, running no step again", async () => {
  const folder = await shopWorkspace({ export: { exporters: ["verl-rl"] } });
  await runGradus(["run", "run.yaml", "--quiet"], { cwd: folder });
  const shards = path.join(folder, "runs/shops/shards");
  expect(existsSync(path.join(shards, "messages-sft"))).toBe(false);
  const finished = await runGradus(["export", "shops", "--to", "messages-sft", "--json"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  const { steps } = JSON.parse(finished.stdout) as { steps: { id: string; status: string }[] };
  const ran = steps.filter((step) => step.status === "ran").map((step) => step.id);
  expect(ran).toEqual(["rows-sft", "export-messages-sft"]);
  expect(existsSync(path.join(shards, "messages-sft/manifest.json"))).toBe(true);
  expect(existsSync(path.join(shards, "verl-rl/manifest.json"))).toBe(true);
});

it("takes options of exporters, and refuses those that are none", async () => {
  const folder = await shopWorkspace({ export: { exporters: ["messages-sft"] } });
  await runGradus(["run", "run.yaml", "--quiet"], { cwd: folder });
  const exported = (options: string) =>
    runGradus(["export", "shops", "--to", "messages-sft", "--options", options, "--quiet"], { cwd: folder });
  expect((await exported('{"messages-sft": {"for": "ms-swift"}}')).status).toBe(0);
  const lock = readFileSync(path.join(folder, "runs/shops/shards/messages-sft/recipe.lock.yaml"), "utf8");
  expect(lock).toContain("    for: ms-swift\n");
  expect((await exported("{")).stderr).toContain("CLI_OPTION_INVALID: cannot read --options {");
  expect((await exported('{"messages-sft": {"fro": 1}}')).stderr).toContain('unknown key "fro"');
});
