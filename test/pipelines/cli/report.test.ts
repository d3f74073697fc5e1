import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../e2e/gradus-process.ts";
import { writeLargeRun } from "../../e2e/large-run.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("report"));

it("wrong usage exits with 2", () => expectUsageError(["report"], "missing required argument 'run'"));

it("writes three files and says where, how big", async () => {
  const folder = await temporaryFolder();
  await writeLargeRun(path.join(folder, "runs/small"), { questions: 4, answers: 2 });
  const finished = await runGradus(["report", "small", "--out", "here"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  expect(finished.stdout).toMatch(
    /^here\/report\.html +[\d,.]+ KiB\nhere\/report\.md +[\d,.]+ KiB\nhere\/report\.json/,
  );
});
