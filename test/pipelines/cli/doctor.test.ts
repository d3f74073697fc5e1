import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { shopQuestions } from "../../e2e/spider-fixture.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("doctor"));

it("wrong usage exits with 2", () => expectUsageError(["doctor"], "missing required argument 'dataset'"));

it("exits with 0 for a dataset in which nothing is broken", async () => {
  const folder = await shopWorkspace();
  const finished = await runGradus(["doctor", "spider", "--root", "./shops"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^spider in .*: nothing is broken$/m);
  expect(finished.stdout).toContain("12 of 12 run");
});

it("exits with 1 for one with a broken gold, and names it", async () => {
  const [first, ...others] = shopQuestions(12);
  const broken = { ...first, question: "?", answer: "SELECT 1", query: "SELECT name FROM shops" };
  const folder = await shopWorkspace({}, [broken, ...others]);
  const finished = await runGradus(["doctor", "spider", "--root", "./shops", "--json"], { cwd: folder });
  const report = JSON.parse(finished.stdout) as { splits: { golds: { broken: unknown[] } }[] };
  expect(report.splits[0]?.golds.broken).toEqual([
    {
      sourceId: "0",
      databaseId: "north",
      status: "error",
      cause: "no such table",
      message: "no such table: shops",
    },
  ]);
  expect(finished.status).toBe(1);
});

it("grades golds when asked to", async () => {
  const folder = await shopWorkspace();
  const finished = await runGradus(["doctor", "spider", "--root", "./shops", "--grade", "--json"], {
    cwd: folder,
  });
  expect(finished.status, finished.stderr).toBe(0);
  const report = JSON.parse(finished.stdout) as { splits: { grading: { graded: number } }[] };
  expect(report.splits.map(({ grading }) => grading.graded)).toEqual([12]);
});
