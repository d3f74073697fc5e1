import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { AuditedExample } from "../../../../core/audit.ts";
import { Finding } from "../../../../core/finding.ts";
import { runGradus } from "../../../e2e/gradus-process.ts";
import { shopWorkspace } from "../../../e2e/shop-workspace.ts";

const ARGS = [
  "audit",
  "list",
  "--dataset",
  "spider",
  "--root",
  "./shops",
  "--split",
  "train",
  "--workers",
  "1",
];

it("ranks for a machine, and writes every finding", async () => {
  const questions = [
    {
      question: "Which shops have more than 4 people?",
      query: "SELECT name FROM shop WHERE staff > 4",
      answer: "",
    },
    {
      question: "How many people work at the Mill?",
      query: "SELECT staff FROM shop WHERE name = 'mill'",
      answer: "",
    },
  ];
  const folder = await shopWorkspace({}, questions);
  const finished = await runGradus([...ARGS, "--json", "--out", "found/findings.jsonl"], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  const { totals, examples } = JSON.parse(finished.stdout) as { totals: unknown; examples: unknown[] };
  expect(totals).toMatchObject({ examples: 2, statuses: { audited: 2 }, flagged: 1, withFindings: 1 });
  expect(examples.map((row) => AuditedExample.parse(row).sourceId)).toEqual(["1"]);
  const lines = readFileSync(path.join(folder, "found/findings.jsonl"), "utf8").trim().split("\n");
  const findings = lines.map((line) => Finding.parse(JSON.parse(line)));
  expect(findings.map(({ sourceId, kind }) => [sourceId, kind])).toEqual([
    ["1", "other_spelling"],
    ["1", "no_rows"],
  ]);
});
