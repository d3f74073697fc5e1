import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { jsonLines } from "../../e2e/raw-run.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

const ARGS = ["score", "--pairs", "pairs.jsonl", "--databases", "shops/database", "--out", "judged.jsonl"];

it("help has an example", () => expectHelp("score"));

it("wrong usage exits with 2", async () => {
  await expectUsageError(["score", "--pairs", "pairs.jsonl"], "required option '--databases <dirs>'");
  await expectUsageError([...ARGS, "--gold-cpu-ms", "soon"], "--gold-cpu-ms");
  await expectUsageError([...ARGS, "--timing-rounds", "0"], "--timing-rounds");
  await expectUsageError([...ARGS, "--metrics", ","], "--metrics");
  await expectUsageError(ARGS, '--databases names "shops/database", which is no folder');
});

it("prints the official table of lines with a level, and has it in its JSON", async () => {
  const folder = await shopWorkspace();
  const gold = "SELECT name FROM shop WHERE staff > 3";
  const preds = [gold, "SELECT name FROM shop", gold];
  const pairs = preds.map((pred, index) => ({
    db_id: "north",
    gold,
    pred,
    difficulty: index < 2 ? "simple" : "challenging",
  }));
  writeFileSync(path.join(folder, "pairs.jsonl"), pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""));
  const metrics = ["--metrics", "bird-ex,bird-r-ves,bird-difficulty", "--timing-rounds", "3"];
  const finished = await runGradus([...ARGS, ...metrics, "--quiet"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(
    /^by difficulty +simple +moderate +challenging +total\ncount +2 +0 +1 +3$/mu,
  );
  expect(finished.stdout).toMatch(/^ {2}bird-ex +50\.00 +- +100\.00 +66\.67$/mu);
  expect(finished.stdout).toMatch(/^ {2}bird-r-ves +\d+\.\d\d +- +\d+\.\d\d +\d+\.\d\d$/mu);
  const again = await runGradus([...ARGS, ...metrics, "--json"], { cwd: folder });
  const { tables } = JSON.parse(again.stdout) as { tables: unknown[] };
  expect(tables).toMatchObject([
    { by: "difficulty", columns: [{ name: "simple", count: 2 }, {}, {}, { name: "total", count: 3 }] },
  ]);
});

it("judges lines and writes them with their verdicts", async () => {
  const folder = await shopWorkspace();
  const gold = "SELECT name FROM shop WHERE staff > 3";
  const pairs = [
    { db_id: "north", gold, pred: "SELECT name FROM shop WHERE id >= 2", note: "right" },
    { db_id: "south", gold, pred: "SELECT name FROM shop", note: "wrong" },
    { db_id: "south", gold, pred: "DROP TABLE shop", note: "refused" },
  ];
  writeFileSync(path.join(folder, "pairs.jsonl"), pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""));
  const finished = await runGradus([...ARGS, "--quiet"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(/^3 lines\nbird-ex: 3 scored, mean 0\.3333\n$/);
  const rows = jsonLines(path.join(folder, "judged.jsonl"));
  expect(rows).toHaveLength(3);
  rows.forEach((row, index) => {
    expect(row).toMatchObject(pairs[index] ?? {});
  });
});
