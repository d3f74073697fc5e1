import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

const DATASET = ["--dataset", "spider", "--root", "./shops", "--split", "train"];

it("help has an example", () => expectHelp("evaluate"));

it("wrong usage exits with 2", () =>
  expectUsageError(["evaluate", "--dataset", "spider"], "required option '--predictions <files...>'"));

it("judges a file of predictions against a split", async () => {
  const folder = await shopWorkspace();
  const args = ["evaluate", "--predictions", "shops/answers.txt", ...DATASET, "--quiet"];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^answers\.txt, bird-ex\n/);
  expect(finished.stdout).toMatch(/^all +12 +33\.3 /m);
  expect(finished.stdout).toMatch(/^hardness:easy +12 +33\.3 /m);
});

it("gives the same figures as JSON", async () => {
  const folder = await shopWorkspace();
  const args = ["evaluate", "--predictions", "shops/answers.txt", ...DATASET, "--json"];
  const { accuracy } = JSON.parse((await runGradus(args, { cwd: folder })).stdout) as {
    accuracy: { group: string; n: number; mean: number }[];
  };
  expect(accuracy.find((row) => row.group === "all")).toMatchObject({ n: 12, mean: 4 / 12 });
});
