import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

const DATASET = ["--dataset", "spider", "--root", "./shops", "--split", "train"];

it("help has an example", () => expectHelp("evaluate"));

it("wrong usage exits with 2", async () => {
  const needed = "give a config, or --predictions with --dataset and --split";
  await expectUsageError(["evaluate", "--dataset", "spider"], needed);
  await expectUsageError(["evaluate", "x.yaml", "--split", "dev"], "--split is for prediction files");
  const args = ["evaluate", "--predictions", "answers.txt", ...DATASET, "--metrics"];
  await expectUsageError([...args, "spider-hardness"], "--metrics names no metric");
  await expectUsageError([...args, "bird-r-ves"], "--metrics names bird-r-ves, which is a measurement");
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
