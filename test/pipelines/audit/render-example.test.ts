import { expect, it } from "vitest";
import type { AuditedExample } from "../../../core/audit.ts";
import { renderExample } from "../../../pipelines/audit/render-example.ts";
import { PLAIN_STYLE } from "../../../pipelines/terminal-text.ts";
import { failedReply, tableReply } from "../../fakes/sql-runner.ts";

const ROW: AuditedExample = {
  exampleId: "0".repeat(32),
  dataset: "bird",
  split: "dev",
  sourceId: "7",
  databaseId: "harbour",
  question: "Which boats?",
  gold: "SELECT name\nFROM boat",
  status: "audited",
  score: 0.75,
  flagged: true,
  findings: [
    {
      exampleId: "0".repeat(32),
      dataset: "bird",
      split: "dev",
      sourceId: "7",
      check: "value-literal",
      kind: "other_spelling",
      severity: "error",
      confidence: 0.9,
      message: "no such value",
      evidence: { literal: "ferry" },
      suggestion: { field: "gold", after: "SELECT 2" },
    },
  ],
  votes: { voters: 3, ran: 3, agree: 0, others: [{ votes: 3, sql: "SELECT 2" }] },
};

it("shows question, gold with rows, votes, and findings with their evidence", () => {
  const rows = Array.from({ length: 6 }, (_, place) => ["Tern", place, null]);
  const results = [
    { title: "gold", sql: ROW.gold, reply: tableReply(["name", "n", "x"], rows, 9) },
    { title: "3 samples", sql: "SELECT 2", reply: failedReply("error", "no such table") },
  ];
  expect(renderExample(ROW, "a hint", results, PLAIN_STYLE).split("\n")).toEqual([
    `bird dev 7 (harbour) ${"0".repeat(32)}`,
    "score 0.75, flagged",
    "",
    "question: Which boats?",
    "evidence: a hint",
    "",
    "gold: SELECT name",
    "  FROM boat",
    "  name | n | x",
    ...[0, 1, 2, 3, 4].map((place) => `  Tern | ${place} | NULL`),
    "  … 4 more rows",
    "",
    "3 samples: SELECT 2",
    "  error: no such table",
    "",
    "votes: 0 of 3 for the gold's result",
    "  3 for  SELECT 2",
    "",
    "value-literal/other_spelling: error, confidence 0.90",
    "  no such value",
    '  literal: "ferry"',
    "  suggested gold: SELECT 2",
  ]);
});

it("says where nothing is doubted, and why an example was not audited", () => {
  const clean = { ...ROW, findings: [], votes: null, flagged: false, score: 0 };
  expect(renderExample(clean, null, [], PLAIN_STYLE)).toContain("no check and no vote doubts it");
  const missing = { ...clean, status: "database_missing" as const };
  expect(renderExample(missing, null, [], PLAIN_STYLE)).toContain("not audited: database_missing");
});
