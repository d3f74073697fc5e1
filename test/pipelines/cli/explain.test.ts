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

const DATASET = ["--dataset", "spider", "--root", "./shops", "--split", "train"];

it.each([
  ["evaluate", ["--predictions", "shops/answers.txt"], "evaluate-spider-train", "  verdict    bird-ex 1\n"],
  [
    "import",
    ["shops/answers.txt", "--model", "student", "--out", "made.jsonl"],
    "import-spider-train",
    "  verdict    none yet\n",
  ],
])("tells of the samples that gradus %s took in", async (name, args, run, verdict) => {
  const folder = await shopWorkspace();
  const made = await runGradus([name, ...args, ...DATASET, "--quiet"], { cwd: folder });
  expect(made.status, made.stderr).toBe(0);
  const listed = await runGradus(["explain", run, "3", "--json"], { cwd: folder });
  const rows = JSON.parse(listed.stdout) as { step: string; row: { id: string } }[];
  const id = rows.find(({ step }) => step === "import")?.row.id ?? "";
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  const finished = await runGradus(["explain", run, id.slice(0, 16)], { cwd: folder });
  expect(finished.stderr).toBe("");
  expect(finished.stdout).toContain(`sample ${id}\n`);
  expect(finished.stdout).toContain("  question   Which shops have more than 3 people, asked 3?\n");
  expect(finished.stdout).toContain(verdict);
});

it("gives the whole record as JSON, and in full the text as it was sampled, both safe on a terminal", async () => {
  const answer = "SELECT 1 -- \u001B[2J\u202E\u009B";
  const query = "SELECT name FROM shop";
  const folder = await shopWorkspace({}, [{ question: "Which?", query, answer }]);
  await runGradus(["run", "run.yaml", "--until", "filter", "--quiet"], { cwd: folder });
  const listed = await runGradus(["explain", "shops", "0", "--json"], { cwd: folder });
  const rows = JSON.parse(listed.stdout) as { port: string; row: { id: string; finalSql: string } }[];
  const row = rows.find(({ port }) => port === "trajectories")?.row;
  expect(row?.finalSql).toBe(answer);
  expect(listed.stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  const told = await runGradus(["explain", "shops", row?.id ?? "", "--full"], { cwd: folder });
  expect(told.stdout).toMatch(/^ {2}(raw|exact) text {3}/m);
  expect(told.stdout).toContain(String.raw`SELECT 1 -- \u001b[2J\u202e\u009b`);
  expect(told.stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
});
