import { describe, expect, it } from "vitest";
import { renderReleaseDiff, worthALook } from "../../../pipelines/audit/render-release-diff.ts";
import { totalsOf } from "../../../pipelines/audit/release-totals.ts";
import { releaseChange } from "./release-fixtures.ts";

const failing = { status: "error", message: "no such table: shops", rows: 0 } as const;

function changes() {
  const noOp = releaseChange({ id: "1" });
  const { effect } = noOp;
  if (effect === null) throw new Error("the fixture has an effect");
  const broken = releaseChange({
    id: "2",
    signs: ["stops_running"],
    effect: {
      ...effect,
      after: failing,
      result: null,
      moved: [{ system: "a.txt", before: 1, after: null }],
      rightBefore: 1,
    },
  });
  const quiet = releaseChange({ id: "3", signs: [] });
  const unseen = releaseChange({
    id: "4",
    changed: ["evidence"],
    signs: [],
    effect: null,
    unjudged: "database_missing",
  });
  return [noOp, broken, quiet, unseen];
}

it("lists the gravest change first, and none that needs no look", () => {
  expect(worthALook(changes()).map(({ id }) => id)).toEqual(["2", "1"]);
});

describe("renderReleaseDiff", () => {
  const diff = {
    before: { name: "old/dev.json", questions: 9 },
    after: { name: "new/dev.json", questions: 9 },
    systems: [{ name: "a.txt", answers: 9, astray: 0 }],
    metric: "bird-ex",
    missingDatabases: ["far"],
    totals: totalsOf(changes(), { matched: 9, passedOver: 0 }),
    changes: changes(),
  };

  it("gives totals first, then the changes worth a look", () => {
    expect(renderReleaseDiff(diff, 1)).toBe(`old/dev.json: 9 questions; new/dev.json: 9; in both: 9
changed: 4 questions (SQL 3, question 0, evidence 1, database 0; added 0, removed 0)

changed together:
  3  gold
  1  evidence

3 of 3 changed SQL run:
  2  same rows, same order
  1  one of the two does not run

signs:
  1  ran before, does not run now
  1  only the SQL changed, with the same rows

verdicts by bird-ex that turn: 0 to right, 1 to wrong, on 1 questions
  a.txt  +0 -1  (9 answers)

not run:
  1  there is no file of the database: far

worth a look:
  2 shop: gold; ran before, does not run now
    question   How many?
    SQL - SELECT 1  (1 rows)
    SQL + SELECT 1 AS one  (error: no such table: shops)
    systems right: 1 before, 0 after`);
  });

  it("shows no change where none is asked for, and no text that takes hold of a terminal", () => {
    expect(renderReleaseDiff(diff, 0)).not.toContain("worth a look");
    const [first] = changes();
    const texts = { question: "\u001B[2J", evidence: null, gold: ["a\u202Eb"] };
    const hostile = {
      ...first,
      id: "\u001B]0;x",
      before: texts,
      after: texts,
    } as (typeof diff)["changes"][number];
    expect(renderReleaseDiff({ ...diff, changes: [hostile] }, 5)).not.toMatch(/\p{Cf}|[^\P{Cc}\n]/u);
  });
});
