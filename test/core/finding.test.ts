import { expect, it } from "vitest";
import { Finding } from "../../core/finding.ts";

const FINDING = {
  exampleId: "0123456789abcdef0123456789abcdef",
  dataset: "spider",
  split: "dev",
  sourceId: "12",
  check: "gold-empty",
  kind: "no_rows",
  severity: "warning",
  confidence: 0.5,
  message: "its gold gives no rows",
  evidence: { rows: 0, columns: ["a"], more: { nested: null } },
  suggestion: null,
};

it("a finding says which check doubts what of which example, how sure it is and why", () => {
  expect(Finding.parse(FINDING)).toEqual(FINDING);
  const suggestion = { field: "gold", after: "SELECT 1" };
  expect(Finding.safeParse({ ...FINDING, suggestion }).success).toBe(true);
});

it("a finding has a confidence from 0 to 1, a message and a known severity", () => {
  expect(Finding.safeParse({ ...FINDING, confidence: 1.1 }).success).toBe(false);
  expect(Finding.safeParse({ ...FINDING, message: "" }).success).toBe(false);
  expect(Finding.safeParse({ ...FINDING, severity: "fatal" }).success).toBe(false);
  expect(Finding.safeParse({ ...FINDING, evidence: { at: new Date(0) } }).success).toBe(false);
  expect(Finding.safeParse({ ...FINDING, suggestion: { field: "databaseId", after: "" } }).success).toBe(
    false,
  );
});
