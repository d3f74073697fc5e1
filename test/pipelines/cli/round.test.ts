import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("round"));

it("wrong usage exits with 2", () => expectUsageError(["round"], "missing required argument 'run'"));

it("says what a run without rounds needs, and wants a revision with a model", async () => {
  const folder = await shopWorkspace();
  await runGradus(["run", "run.yaml", "--until", "score", "--quiet"], { cwd: folder });
  const plain = await runGradus(["round", "shops"], { cwd: folder });
  expect(plain.stderr).toContain("ROUND_STRATEGY");
  const nameless = await runGradus(["round", "shops", "--model-url", "http://127.0.0.1:1/v1"], {
    cwd: folder,
  });
  expect([nameless.status, nameless.stderr]).toEqual([2, expect.stringContaining("--revision")]);
  const table = await runGradus(["round", "shops", "--table", "--json"], { cwd: folder });
  expect(JSON.parse(table.stdout)).toEqual({ name: "shops", rounds: [] });
});
