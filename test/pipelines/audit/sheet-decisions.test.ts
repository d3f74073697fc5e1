import { describe, expect, it } from "vitest";
import { sheetRows } from "../../../pipelines/audit/review-sheet.ts";
import { sheetDecisions } from "../../../pipelines/audit/sheet-decisions.ts";
import { acceptFinding, decisionOf, noteOf } from "../../../pipelines/audit/decide.ts";
import { BY, findingOf, reviewPlace } from "./review-fixture.ts";

const LATER = { author: "bob", time: "2026-02-01T00:00:00Z" };

async function started() {
  const review = await (await reviewPlace()).open();
  const finding = findingOf(review.example("0"));
  const rows = () => sheetRows(review.examples, [finding], review.decisions);
  return { review, finding, rows };
}

describe("sheetDecisions", () => {
  it("takes the decisions that rows make, by whom they say", async () => {
    const { review, rows } = await started();
    const [row] = rows();
    if (row === undefined) throw new Error("the sheet has a row");
    const decide = async (cells: Partial<typeof row>) =>
      sheetDecisions(review, [{ ...row, ...cells }], LATER);
    expect(await decide({})).toEqual([]);
    expect(await decide({ decision: "Accept " })).toMatchObject([
      {
        decision: "accepted",
        author: "bob",
        reason: "two loaves share a name",
        corrections: [{ after: "SELECT count(DISTINCT name) FROM loaf" }],
      },
    ]);
    expect(await decide({ decision: "reject", author: "eve", reason: "no" })).toMatchObject([
      { decision: "rejected", author: "eve", reason: "no", corrections: [] },
    ]);
    expect(
      await decide({ decision: "edit", corrected_gold: "SELECT 7", corrected_question: "Hm?" }),
    ).toMatchObject([
      {
        decision: "edited",
        corrections: [
          { field: "question", after: "Hm?" },
          { field: "gold", before: "SELECT count(*) FROM loaf", after: "SELECT 7" },
        ],
      },
    ]);
  });

  it("gives back decisions that were not touched as they were, whatever they correct", async () => {
    const { review, finding, rows } = await started();
    await review.decide([await acceptFinding(review, finding, BY)]);
    const edit = {
      example: review.example("1"),
      finding: null,
      decision: "edited",
      changes: [
        { field: "gold", after: "SELECT 1" },
        { field: "gold", isAdded: true, after: "SELECT 2" },
        { field: "evidence", after: "\r\n" },
      ],
      note: noteOf({ ...BY, reason: "a\nb" }, null),
      isOfPublished: false,
    } as const;
    await review.decide([await decisionOf(review, edit)]);
    expect(await sheetDecisions(review, rows(), LATER)).toEqual(review.decisions);
    const again = rows().map((row) => ({ ...row, reason: "better", author: "" }));
    const renoted = await sheetDecisions(review, again, LATER);
    expect(renoted.map(({ corrections }) => corrections.map(({ after }) => after))).toEqual(
      review.decisions.map(({ corrections }) => corrections.map(({ after }) => after)),
    );
    expect(renoted[1]).toMatchObject({
      reason: "better",
      ...LATER,
      corrections: [{ reason: "better", ...LATER }, {}, {}],
    });
  });

  it("leaves a decision alone that is newer than an untouched row", async () => {
    const { review, finding, rows } = await started();
    await review.decide([await acceptFinding(review, finding, BY)]);
    const old = rows();
    await review.decide([
      { ...(await acceptFinding(review, finding, LATER)), decision: "rejected", corrections: [] },
    ]);
    expect(await sheetDecisions(review, old, BY)).toEqual([]);
    expect(await sheetDecisions(review, rows(), BY)).toEqual(review.decisions);
  });

  it("refuses a row that means nothing, naming it", async () => {
    const { review, rows } = await started();
    const [row] = rows();
    if (row === undefined) throw new Error("the sheet has a row");
    const refused = (cells: Partial<typeof row>, message: string) =>
      expect(sheetDecisions(review, [row, { ...row, ...cells }], BY)).rejects.toMatchObject({
        code: "SHEET_ROW_INVALID",
        message: expect.stringMatching(new RegExp(`^cannot use row 2 of the sheet: .*${message}`)) as string,
      });
    await refused({ decision: "perhaps" }, "expected accept, edit or reject");
    await refused({ decision: "edit" }, "no corrected_ column has a text");
    await refused({ decision: "accept", suggested_field: "" }, "suggests no text");
    await refused({ decision: "reject", example_id: "", source_id: "9" }, 'no question "9"');
  });
});
