import { expect, it } from "vitest";
import type { Votes } from "../../core/audit.ts";
import type { Finding } from "../../core/finding.ts";
import { auditScore } from "../../curation/audit-score.ts";

function finding(check: string, confidence: number, severity: Finding["severity"] = "error"): Finding {
  const names = {
    exampleId: "0".repeat(32),
    dataset: "d",
    split: "s",
    sourceId: "1",
    kind: "k",
    message: "m",
  };
  return { ...names, check, severity, confidence, evidence: {}, suggestion: null };
}

const votes = (ran: number, agree: number): Votes => ({ voters: ran, ran, agree, others: [] });

it("is one less what the checks leave, each by its best finding", () => {
  expect(auditScore([finding("a", 0.5), finding("a", 0.2), finding("b", 0.5)], null)).toBeCloseTo(0.75);
  expect(auditScore([], null)).toBe(0);
});

it("leaves notes out", () => {
  expect(auditScore([finding("a", 0.5, "note")], null)).toBe(0);
});

it("counts what checks find less the more samples agree with the gold", () => {
  expect(auditScore([finding("a", 0.5)], votes(8, 0))).toBeCloseTo(0.5);
  expect(auditScore([finding("a", 0.5)], votes(8, 8))).toBeCloseTo(0.05);
  expect(auditScore([finding("a", 0.5)], votes(2, 2))).toBeCloseTo(0.5);
  expect(auditScore([finding("consensus", 0.5)], votes(8, 4))).toBeCloseTo(0.5);
});
