import { expect, it } from "vitest";
import type { AuditedExample } from "../../../core/audit.ts";
import { renderAuditList, renderVotes } from "../../../pipelines/audit/render-audit.ts";
import { PLAIN_STYLE } from "../../../pipelines/terminal-text.ts";

const FINDING = {
  exampleId: "0".repeat(32),
  dataset: "d",
  split: "s",
  sourceId: "7",
  check: "gold-empty",
  kind: "no_rows",
  severity: "warning",
  confidence: 0.5,
  message: "its gold gives\u001b[2J no rows",
  evidence: {},
  suggestion: null,
} as const;
const ROW: AuditedExample = {
  exampleId: FINDING.exampleId,
  dataset: "d",
  split: "s",
  sourceId: "7",
  databaseId: "harbour",
  question: "Which\nboats?",
  gold: "SELECT 1",
  status: "audited",
  score: 0.5,
  flagged: true,
  findings: [FINDING, FINDING, FINDING, FINDING, FINDING],
  votes: null,
};
const TOTALS = {
  examples: 3,
  statuses: { audited: 2, database_missing: 1 },
  flagged: 1,
  withFindings: 2,
  findings: [{ check: "gold-empty", kind: "no_rows", count: 2 }],
};

it("lists examples with their findings, and what there is in all", () => {
  const text = renderAuditList([ROW, { ...ROW, flagged: false }], TOTALS, { top: 1, style: PLAIN_STYLE });
  expect(text.split("\n")).toEqual([
    "! 1. 7 (harbour) 0.50",
    "     Which\\nboats?",
    ...Array(4).fill("     gold-empty/no_rows 0.50: its gold gives\\u001b[2J no rows"),
    "     … and 1 more",
    "",
    "… and 1 more with findings: --top shows more of them",
    "",
    "3 examples: 2 audited, 1 database_missing; 2 with findings, 1 flagged",
    "  gold-empty/no_rows 2",
  ]);
});

it("shows votes by result", () => {
  const votes = { voters: 8, ran: 7, agree: 2, others: [{ votes: 5, sql: "SELECT\n2" }] };
  expect(renderVotes(votes, PLAIN_STYLE)).toEqual([
    "votes: 2 of 7 for the gold's result, 1 did not run",
    "  5 for  SELECT\\n2",
  ]);
});
