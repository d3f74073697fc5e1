import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { expectUsageError } from "../pipelines/cli/expect-usage.ts";
import { runGradus } from "./gradus-process.ts";
import { shopWorkspace } from "./shop-workspace.ts";

it("names that options give and nobody knows are wrong usage", async () => {
  const folder = await shopWorkspace();
  const file = path.join(folder, "shops/answers.txt");
  const given = ["evaluate", "--predictions", file, "--root", path.join(folder, "shops"), "--runs", folder];
  const spider = [...given, "--dataset", "spider"];
  await expectUsageError([...spider, "--split", "train", "--metrics", "bird-xe"], 'did you mean "bird-ex"?');
  await expectUsageError([...given, "--dataset", "spidr", "--split", "train"], 'did you mean "spider"?');
  await expectUsageError([...spider, "--split", "trian", "--quiet"], 'did you mean "train"?');
  await expectUsageError([...spider, "--split", "train", "--by", "level"], '--by names "level"');
  const forms = ["--split", "train", "--export-predictions", folder, "--out-format", "csv"];
  await expectUsageError([...spider, ...forms], "--out-format must be bird-json or spider-text");
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
