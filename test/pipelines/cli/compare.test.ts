import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("compare"));

it("wrong usage exits with 2", async () => {
  await expectUsageError(["compare"], "give two runs, or --before and --after with --dataset and --split");
  await expectUsageError(["compare", "one"], "got 1 runs");
  const args = ["compare", "--before", "a", "--after", "b", "--dataset", "spidr", "--split", "dev"];
  await expectUsageError(args, 'did you mean "spider"?');
});

it("holds a prediction file against another, and a run against itself", async () => {
  const folder = await shopWorkspace();
  const right = Array.from(
    { length: 12 },
    (_, index) => `SELECT name FROM shop WHERE staff > ${index % 9}\n`,
  );
  writeFileSync(path.join(folder, "right.txt"), right.join(""));
  const dataset = ["--dataset", "spider", "--root", "./shops", "--split", "train"];
  const args = ["compare", "--before", "shops/answers.txt", "--after", "right.txt", ...dataset, "--quiet"];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^before: answers\.txt\nafter: {2}right\.txt\n12 questions\n/);
  expect(finished.stdout).toContain(
    "8 became right and 0 wrong, exact McNemar p = 0.0078: the difference is real.",
  );
  const run = "compare-spider-train-after";
  const same = await runGradus(["compare", run, `${run}:right.txt`, "--json"], { cwd: folder });
  expect(same.status, same.stderr).toBe(0);
  expect(JSON.parse(same.stdout)).toMatchObject({
    questions: { both: 12 },
    comparisons: [{ difference: 0, bothRight: 12, isReal: false, gained: [], lost: [] }],
  });
  const unknown = await runGradus(["compare", run, `${run}:rigth.txt`], { cwd: folder });
  expect(unknown.status).toBe(1);
  expect(unknown.stderr).toContain(`did you mean "${run}:right.txt"?`);
});
