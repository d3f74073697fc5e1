import { expect, it } from "vitest";
import { totalsOf } from "../../../pipelines/audit/release-totals.ts";
import { releaseChange } from "./release-fixtures.ts";

it("totals add changes up by field, result, sign, reason and turned verdict", () => {
  const { effect } = releaseChange();
  if (effect === null) throw new Error("the fixture has an effect");
  const moved = [
    { system: "a", before: 0, after: 1 },
    { system: "b", before: 1, after: 0 },
    { system: "c", before: null, after: 0 },
  ];
  const totals = totalsOf(
    [
      releaseChange(),
      releaseChange({
        changed: ["gold", "question"],
        signs: [],
        effect: { ...effect, result: "different", moved },
      }),
      releaseChange({ changed: ["gold"], signs: ["stops_running"], effect: { ...effect, result: null } }),
      releaseChange({ changed: ["evidence"], signs: [], effect: null, unjudged: "database_missing" }),
    ],
    { matched: 9, passedOver: 2 },
  );
  expect(totals).toEqual({
    matched: 9,
    passedOver: 2,
    changedQuestions: 4,
    changed: { gold: 3, question: 1, evidence: 1, database: 0, added: 0, removed: 0 },
    together: { gold: 2, "gold+question": 1, evidence: 1 },
    goldsRun: 3,
    results: { same_order: 1, same_rows: 0, same_set: 0, different: 1, not_comparable: 1 },
    signs: {
      stops_running: 1,
      becomes_empty: 0,
      still_failing: 0,
      against_consensus: 0,
      no_op_text: 0,
      no_op_result: 1,
      starts_running: 0,
      becomes_filled: 0,
    },
    unjudged: { no_gold: 0, database_unnamed: 0, database_missing: 1 },
    verdicts: { questions: 1, wrongToRight: 1, rightToWrong: 1, other: 1 },
    systems: {
      a: { wrongToRight: 1, rightToWrong: 0 },
      b: { wrongToRight: 0, rightToWrong: 1 },
      c: { wrongToRight: 0, rightToWrong: 0 },
    },
  });
});
