import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { jsonLines } from "../../e2e/raw-run.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("import"));

it("wrong usage exits with 2", () =>
  expectUsageError(
    ["import", "answers.txt", "--dataset", "spider", "--split", "train", "--model", "student"],
    "required option '--out <file>'",
  ));

it("makes each file one more sample a question of the named model", async () => {
  const folder = await shopWorkspace();
  const file = "shops/answers.txt";
  const dataset = ["--dataset", "spider", "--root", "./shops", "--split", "train"];
  const args = [
    "import",
    file,
    file,
    ...dataset,
    "--model",
    "student",
    "--out",
    "made/samples.jsonl",
    "--quiet",
  ];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toBe("24 samples of student in made/samples.jsonl\n");
  const rows = jsonLines(path.join(folder, "made/samples.jsonl"));
  expect(rows.slice(0, 4).map((row) => [row["sampleIndex"], row["finalSql"], row["source"]])).toEqual([
    [0, "SELECT name FROM shop WHERE staff > 0", "imported"],
    [1, "SELECT name FROM shop WHERE staff > 0", "imported"],
    [0, "SELECT id FROM shop", "imported"],
    [1, "SELECT id FROM shop", "imported"],
  ]);
  expect(new Set(rows.map((row) => row["id"])).size).toBe(24);
});
