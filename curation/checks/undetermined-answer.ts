import { defineCheck } from "../../core/check.ts";
import type { DoubtKind } from "../../core/check.ts";

function kind(
  severity: DoubtKind["severity"],
  confidence: number,
  meaning: string,
  audit: string,
): DoubtKind {
  return { severity, confidence, meaning, taxonomy: { wretblad: "3", audit } };
}

const KINDS: Readonly<Record<string, DoubtKind>> = {
  limit_tie: kind("note", 0.12, "LIMIT cuts between different rows of equal order keys", "tie_at_limit"),
  limit_without_order: kind("warning", 0.25, "LIMIT leaves rows out and nothing says which", "tie_at_limit"),
  limit_unknown: kind("note", 0.05, "whether LIMIT cuts at a tie cannot be told", "tie_at_limit"),
  subquery_limit: kind("note", 0.15, "the LIMIT of a subquery cuts at a tie", "tie_at_limit"),
  null_first: kind(
    "warning",
    0.6,
    "NULL is sorted first, so LIMIT keeps rows without a value",
    "null_first_order",
  ),
  numeric_text: kind("warning", 0.5, "numbers stored as text are put in order as text", "numeric_text_order"),
  clock: kind("warning", 0.3, "the answer changes with the day it is asked", "clock_dependent"),
  random: kind("error", 0.8, "the answer differs from run to run", "clock_dependent"),
  bare_column: kind(
    "warning",
    0.45,
    "a column neither grouped nor aggregated has several values in a group",
    "tie_at_limit",
  ),
  row_order: kind("note", 0.15, "the rows change with the order in which tables are read", "tie_at_limit"),
};

export default defineCheck({
  id: "undetermined-answer",
  version: 1,
  title: "the data do not determine what the gold gives",
  kinds: KINDS,
  find: ({ undetermined }) =>
    undetermined
      .filter((reason) => reason.kind in KINDS)
      .map(({ kind: found, message }) => ({ kind: found, message, evidence: { reason: message } })),
});
