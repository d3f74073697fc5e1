import { expect, it } from "vitest";
import {
  accuracySection,
  costSection,
  foundSection,
  groupLabel,
} from "../../../pipelines/report/answer-sections.ts";
import { DOCUMENT } from "./sample-document.ts";

it.each([
  ["all", "all questions"],
  ["dataset:bird unrecognised-ebe3adf38659 train", "bird train"],
  ["hardness:easy", "hardness easy"],
])("reads the group %s as %s", (group, label) => {
  expect(groupLabel(group)).toBe(label);
});

it("shows accuracy with its interval, and its colours", () => {
  const [figure] = accuracySection(DOCUMENT, 0)?.figures ?? [];
  expect(figure?.legend).toHaveLength(2);
  expect(figure?.table.rows[1]?.slice(2, 4)).toMatchObject([
    { at: "/sets/0/accuracy/1/mean", value: 0.75, form: "percent" },
    [{ value: 0.2 }, " – ", { value: 0.9 }],
  ]);
  expect(accuracySection(DOCUMENT, 1)).toBeNull();
});

it("sets accuracy against tokens where no price is known", () => {
  const [figure, stops] = costSection(DOCUMENT, 0)?.figures ?? [];
  expect(figure?.title).toBe("Accuracy against tokens an answer");
  expect(stops?.table.rows[0]?.slice(1)).toMatchObject(["no answer", { value: 4 }]);
});

it("shows found tables, and says how many rows it has not", () => {
  const [figure] = foundSection(DOCUMENT)?.figures ?? [];
  expect(figure?.note).toBe("The first 1 rows; evaluation.json has them all.");
  expect(figure?.table.rows[0]?.[1]).toMatchObject({ at: "/evaluation/0/rows/0/1", value: 12.5 });
  expect(foundSection({ ...DOCUMENT, evaluation: [] })).toBeNull();
});
