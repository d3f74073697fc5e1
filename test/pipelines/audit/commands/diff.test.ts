import path from "node:path";
import { expect, it } from "vitest";
import { describeWithShared } from "../../../shared-folder.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runAudit } from "../run-audit.ts";

it("tells a person what changed, and refuses folders that are none", async () => {
  const question = { question: "q", db_id: "x", query: "SELECT 1" };
  const folder = await temporaryFolder({
    "a.json": JSON.stringify([question]),
    "b.json": JSON.stringify([{ ...question, query: "select 1" }]),
  });
  const args = ["--before", path.join(folder, "a.json"), "--after", path.join(folder, "b.json"), "--quiet"];
  expect(await runAudit("diff", ...args)).toContain("changed: 1 questions (SQL 1, question 0, evidence 0");
  await expect(runAudit("diff", ...args, "--databases", "nowhere")).rejects.toMatchObject({
    code: "USAGE",
    message: '--databases names "nowhere", which is no folder',
  });
  await expect(runAudit("diff", ...args, "--show", "few")).rejects.toMatchObject({ code: "USAGE" });
});

describeWithShared("gradus audit diff on published releases", (shared) => {
  const diff = async (before: string, after: string, ...options: string[]): Promise<unknown> => {
    const data = path.join(shared, "data");
    const args = ["--before", path.join(data, before), "--after", path.join(data, after)];
    return (JSON.parse(await runAudit("diff", ...args, ...options, "--json")) as { totals: unknown }).totals;
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
