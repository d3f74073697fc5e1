import { expect, it } from "vitest";
import type { AuditedExample } from "../../core/audit.ts";
import type { Finding } from "../../core/finding.ts";
import { auditTotals, rankAudited } from "../../curation/rank-audited.ts";

const FINDING: Finding = {
  exampleId: "0".repeat(32),
  dataset: "d",
  split: "s",
  sourceId: "1",
  check: "c",
  kind: "k",
  severity: "error",
  confidence: 0.5,
  message: "m",
  evidence: {},
  suggestion: null,
};

function row(sourceId: string, score: number, against: number | null, findings = [FINDING]): AuditedExample {
  const names = { exampleId: "a", dataset: "d", split: "s", databaseId: "x", question: "q", gold: "g" };
  const votes =
    against === null
      ? null
      : { voters: 8, ran: 8, agree: 8 - against, others: [{ votes: against, sql: "s" }] };
  return { ...names, sourceId, status: "audited", score, flagged: score >= 0.5, findings, votes };
}

it("ranks by score, then by the lead of the votes, then as they came; without findings nothing is listed", () => {
  const rows = [
    row("low", 0.1, null),
    row("even", 0.9, 5),
    row("led", 0.9, 8),
    row("later", 0.9, 5),
    row("clean", 0, null, []),
  ];
  expect(rankAudited(rows).map(({ sourceId }) => sourceId)).toEqual(["led", "even", "later", "low"]);
});

it("counts statuses, flags and findings", () => {
  const missing = { ...row("gone", 0, null, []), status: "database_missing" } as const;
  expect(
    auditTotals([row("a", 0.9, null), row("b", 0.2, null, [FINDING, { ...FINDING, kind: "j" }]), missing]),
  ).toEqual({
    examples: 3,
    statuses: { audited: 2, database_missing: 1 },
    flagged: 1,
    withFindings: 2,
    findings: [
      { check: "c", kind: "k", count: 2 },
      { check: "c", kind: "j", count: 1 },
    ],
  });
});
