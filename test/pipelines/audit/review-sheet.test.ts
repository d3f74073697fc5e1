import { describe, expect, it } from "vitest";
import {
  decisionCells,
  DECISION_WORDS,
  FILLED,
  SHEET_COLUMNS,
  sheetRows,
} from "../../../pipelines/audit/review-sheet.ts";
import { bakeryCorrection, bakeryExample } from "../../datasets/correction-fixtures.ts";
import { findingOf, rejection } from "./review-fixture.ts";

const example = bakeryExample({ gold: ["SELECT 1", "SELECT 2"] });
const PLACE = { dataset: "bakers", exampleId: example.id };

describe("sheetRows", () => {
  it("has a row a finding with its question, what it suggests and what was decided", () => {
    const [row, ...others] = sheetRows([example], [findingOf(example)], [rejection(PLACE)]);
    expect(others).toEqual([]);
    expect(Object.keys(row ?? {}).sort()).toEqual([...SHEET_COLUMNS].sort());
    expect(row).toMatchObject({
      example_id: example.id,
      source_id: "0",
      db_id: "bakery",
      check: "missing-distinct",
      confidence: "0.75",
      finding_evidence: '{"rows":3}',
      evidence: "",
      gold: "SELECT 1",
      other_golds: '["SELECT 2"]',
      suggested_field: "gold",
      suggested_text: "SELECT count(DISTINCT name) FROM loaf",
      decision: "reject",
      reason: "it is right",
      author: "ann",
    });
  });

  it("has a row a question without findings, and one for each decision of another finding", () => {
    const rows = sheetRows([example, bakeryExample({ sourceId: "1", question: "Which?" })], null, [
      rejection(PLACE),
    ]);
    expect(rows.map(({ source_id, check, decision }) => [source_id, check, decision])).toEqual([
      ["0", "", ""],
      ["1", "", ""],
      ["0", "missing-distinct", "reject"],
    ]);
  });
});

it("the cells of an edit show its texts, those of another decision do not", () => {
  const corrections = [
    bakeryCorrection({ after: "SELECT 3" }),
    bakeryCorrection({ before: null, after: "SELECT 4" }),
    bakeryCorrection({ field: "question", before: "a", after: "b" }),
  ];
  expect(decisionCells(rejection({ decision: "edited", corrections }))).toMatchObject({
    decision: DECISION_WORDS.edited,
    corrected_gold: "SELECT 3",
    corrected_question: "b",
    corrected_evidence: "",
  });
  expect(decisionCells(rejection({ decision: "accepted", corrections })).corrected_gold).toBe("");
  expect(Object.values(decisionCells(undefined)).join("")).toBe("");
  expect(FILLED).toContain("decision");
});
