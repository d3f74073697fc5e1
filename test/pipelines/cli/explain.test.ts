import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("explain"));

it("wrong usage exits with 2", () =>
  expectUsageError(["explain", "shops"], "missing required argument 'id'"));

it("tells the life of one question by the dataset's own id, and says when there is none", async () => {
  const folder = await shopWorkspace({ filter: {} });
  await runGradus(["run", "run.yaml", "--until", "filter", "--quiet"], { cwd: folder });
  const finished = await runGradus(["explain", "shops", "1"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toContain("Which shops have more than 1 people, asked 1?");
  expect(finished.stdout).toMatch(/^filter\.dropped {2}reason=intractable {2}/m);
  const none = await runGradus(["explain", "shops", "77"], { cwd: folder });
  expect(none.stderr).toMatch(/^EXPLAIN_NOTHING: .*"77"/);
  expect(none.status).toBe(1);
});
