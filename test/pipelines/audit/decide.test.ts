import { describe, expect, it } from "vitest";
import { acceptFinding, decisionOf, noteOf } from "../../../pipelines/audit/decide.ts";
import { BY, findingOf, reviewPlace } from "./review-fixture.ts";

describe("acceptFinding", () => {
  it("takes what the finding suggests, with its kind and its words", async () => {
    const review = await (await reviewPlace()).open();
    const finding = findingOf(review.example("0"));
    expect(await acceptFinding(review, finding, BY)).toMatchObject({
      sourceId: "0",
      check: "missing-distinct",
      decision: "accepted",
      kind: "distinct",
      reason: "two loaves share a name",
      corrections: [
        {
          field: "gold",
          before: "SELECT count(*) FROM loaf",
          after: "SELECT count(DISTINCT name) FROM loaf",
        },
      ],
    });
  });

  it("is refused where another decision has changed the text to something else", async () => {
    const review = await (await reviewPlace()).open();
    const finding = findingOf(review.example("0"));
    await review.decide([await acceptFinding(review, finding, BY)]);
    const same = findingOf(review.example("0"), { check: "twin" });
    await expect(acceptFinding(review, same, BY)).resolves.toMatchObject({ check: "twin" });
    const other = findingOf(review.example("0"), {
      check: "join",
      suggestion: { field: "gold", after: "SELECT 9" },
    });
    await expect(acceptFinding(review, other, BY)).rejects.toMatchObject({ code: "SUGGESTION_OVERTAKEN" });
  });
});

it("an edit keeps what an earlier edit did to other fields", async () => {
  const review = await (await reviewPlace()).open();
  const edit = async (changes: Parameters<typeof decisionOf>[1]["changes"]) => {
    const note = noteOf({ ...BY, reason: "r" }, null);
    const request = {
      example: review.example("1"),
      finding: null,
      decision: "edited",
      changes,
      note,
      isOfPublished: false,
    } as const;
    const decision = await decisionOf(review, request);
    await review.decide([decision]);
    return decision.corrections.map(({ field, before, after }) => [field, before, after]);
  };
  await edit([{ field: "gold", after: "SELECT 1" }]);
  await edit([{ field: "evidence", after: "e" }]);
  expect(await edit([{ field: "gold", after: "SELECT 2" }])).toEqual([
    ["evidence", null, "e"],
    ["gold", "SELECT name FROM loaf", "SELECT 2"],
  ]);
  expect(review.decisions).toHaveLength(1);
});

it("a note is what the person says, else what the finding says", () => {
  const finding = { kind: "distinct", message: "two" };
  expect(noteOf({ ...BY }, finding)).toEqual({ kind: "distinct", reason: "two", ...BY });
  expect(noteOf({ ...BY, kind: "k", reason: "r" }, finding)).toEqual({ kind: "k", reason: "r", ...BY });
  expect(noteOf({ ...BY }, null)).toEqual({ kind: "correction", reason: "", ...BY });
});
