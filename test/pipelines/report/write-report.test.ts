import path from "node:path";
import { expect, it } from "vitest";
import { sectionsOf, writeReport } from "../../../pipelines/report/write-report.ts";
import { writeLargeRun } from "../../e2e/large-run.ts";
import { filesBelow, temporaryFolder } from "../../temporary-folder.ts";
import { DOCUMENT } from "./sample-document.ts";

it("writes the page, Markdown and JSON, whole, with the same bytes every time", async () => {
  const runs = await temporaryFolder();
  await writeLargeRun(path.join(runs, "r"), { questions: 3, answers: 2 });
  const { document, files } = await writeReport(runs, "r", null);
  const first = await filesBelow(path.join(runs, "r/report"));
  expect(Object.keys(first)).toEqual(["report.html", "report.json", "report.md"]);
  expect(files.map(({ path: file }) => path.basename(file))).toEqual([
    "report.html",
    "report.md",
    "report.json",
  ]);
  expect(JSON.parse(Buffer.from(first["report.json"] ?? "", "latin1").toString())).toEqual(
    JSON.parse(JSON.stringify(document)),
  );
  const out = await temporaryFolder();
  await writeReport(runs, "r", out);
  expect(await filesBelow(out)).toEqual(first);
});

it("puts the parts in their order", () => {
  expect(sectionsOf(DOCUMENT).map(({ title }) => title)).toEqual([
    "Funnel",
    "Accuracy",
    "Evaluation",
    "Pass rates",
    "Curriculum",
    "Rounds",
    "Cost",
    "Rewards",
  ]);
});
