import { expect, it } from "vitest";
import { AuditedExample } from "../../core/audit.ts";

const ROW = {
  exampleId: "a",
  dataset: "harbour",
  split: "train",
  sourceId: "7",
  databaseId: "harbour",
  question: "How many boats?",
  gold: "SELECT 1",
  status: "audited",
  score: 0.5,
  flagged: true,
  findings: [],
  votes: { voters: 3, ran: 2, agree: 0, others: [{ votes: 2, sql: "SELECT 2" }] },
};

it("an audited example has a score from 0 to 1, and votes or none", () => {
  expect(AuditedExample.parse(ROW)).toEqual(ROW);
  expect(AuditedExample.safeParse({ ...ROW, votes: null }).success).toBe(true);
  expect(AuditedExample.safeParse({ ...ROW, score: 1.5 }).success).toBe(false);
  expect(AuditedExample.safeParse({ ...ROW, status: "looked at" }).success).toBe(false);
});
