import path from "node:path";
import { expect, it } from "vitest";
import { runGradus } from "../../../e2e/gradus-process.ts";
import { describeWithShared } from "../../../shared-folder.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { expectHelp, expectUsageError } from "../../cli/expect-usage.ts";

it("help has an example, and wrong usage exits with 2", async () => {
  const folder = await temporaryFolder({
    "a.json": '[{"question": "q", "db_id": "x", "query": "SELECT 1"}]',
  });
  const file = path.join(folder, "a.json");
  const args = ["audit", "diff", "--before", file, "--after", file];
  await expectHelp("audit diff");
  await expectUsageError(["audit", "diff", "--before", file], "required option '--after <path>'");
  await expectUsageError(
    [...args, "--databases", "nowhere"],
    '--databases names "nowhere", which is no folder',
  );
});

describeWithShared("gradus audit diff on published releases", (shared) => {
  const diff = async (before: string, after: string, ...options: string[]) => {
    const data = path.join(shared, "data");
    const args = ["audit", "diff", "--before", path.join(data, before), "--after", path.join(data, after)];
    const finished = await runGradus([...args, ...options, "--json"]);
    expect(finished.status, finished.stderr).toBe(0);
    return (JSON.parse(finished.stdout) as { totals: unknown }).totals;
  };

  it("counts what BIRD's authors changed in their development set", async () => {
    expect(await diff("bird/dev_2023_original/dev.json", "bird/dev")).toMatchObject({
      matched: 1534,
      changed: { gold: 199, question: 109, evidence: 306, database: 0, added: 0, removed: 0 },
      goldsRun: 19,
      results: { different: 16 },
    });
  });

  it("counts what a study of annotation noise changed, as JSON and as a table", async () => {
    const folder = "corrections/effects_of_noise";
    expect(await diff(`${folder}/financial.json`, `${folder}/financial_corrected.json`)).toMatchObject({
      matched: 106,
      changed: { gold: 24, question: 44, evidence: 0 },
      unjudged: { database_missing: 51 },
    });
    expect(await diff(`${folder}/financial.json`, `${folder}/financial_annotations.csv`)).toMatchObject({
      matched: 106,
      changed: { gold: 26, question: 44, added: 0, removed: 0 },
    });
  });
});
