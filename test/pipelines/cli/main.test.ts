import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { GradusProcess, PROJECT_ROOT, runGradus } from "../../e2e/gradus-process.ts";
import { falselyWhole, stepsOf } from "../../e2e/raw-run.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";

it("prints the version of the package", async () => {
  const text = readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  expect(await runGradus(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
});

it("lists its commands", async () => {
  const help = await runGradus(["--help"]);
  expect(help.status).toBe(0);
  const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map((found) => found[1] ?? "");
  expect(commands).toEqual(expect.arrayContaining(["doctor", "evaluate", "explain", "export", "import"]));
  expect(commands).toEqual(expect.arrayContaining(["plan", "run", "score", "status"]));
});

it("names the near miss of an unknown command and exits with 2", async () => {
  const finished = await runGradus(["statsu"]);
  expect(finished.stderr).toContain("unknown command 'statsu'");
  expect(finished.stderr).toContain("Did you mean status?");
  expect(finished.status).toBe(2);
});

it("goes on to its end when what reads its output goes away", async () => {
  const folder = await shopWorkspace();
  const running = new GradusProcess(["run", "run.yaml", "--json"], { cwd: folder });
  running.stopReading();
  const finished = await running.finished;
  await running.leavesNothing();
  expect(finished.status).toBe(0);
  expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
  expect(stepsOf(path.join(folder, "runs/shops"))).toContain("export-verl-rl");
});
