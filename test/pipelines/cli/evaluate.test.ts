import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

const DATASET = ["--dataset", "spider", "--root", "./shops", "--split", "train"];

it("help has an example", () => expectHelp("evaluate"));

it("wrong usage exits with 2", async () => {
  const needed = "give a config, or --predictions with --dataset and --split";
  await expectUsageError(["evaluate", "--dataset", "spider"], needed);
  await expectUsageError(["evaluate"], needed);
  await expectUsageError(["evaluate", "x.yaml", "--split", "dev"], "--split is for prediction files");
  const args = ["evaluate", "--predictions", "answers.txt", ...DATASET, "--metrics"];
  await expectUsageError([...args, "spider-hardness"], "--metrics names no metric");
  await expectUsageError([...args, "bird-r-ves"], "--metrics names bird-r-ves, which is a measurement");
});

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

it("judges a file of predictions against a split", async () => {
  const folder = await shopWorkspace();
  const args = ["evaluate", "--predictions", "shops/answers.txt", ...DATASET, "--quiet"];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^answers\.txt, bird-ex\n/);
  expect(finished.stdout).toMatch(/^all +12 +33\.3 /m);
  expect(finished.stdout).toMatch(/^hardness:easy +12 +33\.3 /m);
  expect(finished.stdout).toMatch(
    /^answers\.txt\nby hardness +easy +medium +hard +extra +all\ncount +12 +0 /m,
  );
});

it("gives the same figures as JSON", async () => {
  const folder = await shopWorkspace();
  const args = ["evaluate", "--predictions", "shops/answers.txt", ...DATASET, "--json"];
  const { accuracy, systems } = JSON.parse((await runGradus(args, { cwd: folder })).stdout) as {
    accuracy: { group: string; n: number; mean: number }[];
    systems: { system: string; tables: unknown[] }[];
  };
  expect(accuracy.find((row) => row.group === "all")).toMatchObject({ n: 12, mean: 4 / 12 });
  expect(systems).toMatchObject([
    {
      system: "answers.txt#0",
      tables: [
        {
          by: "hardness",
          unleveled: 0,
          columns: [
            { name: "easy", count: 12, metrics: { "bird-ex": { scored: 12, mean: 4 / 12 } } },
            { name: "medium" },
            { name: "hard" },
            { name: "extra" },
            { name: "all", count: 12 },
          ],
        },
      ],
    },
  ]);
});
