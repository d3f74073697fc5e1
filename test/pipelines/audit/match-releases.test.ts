import { describe, expect, it } from "vitest";
import {
  changedFields,
  matchReleases,
  unchangedInSubstance,
} from "../../../pipelines/audit/match-releases.ts";
import { releaseRow } from "./release-fixtures.ts";

describe("matchReleases", () => {
  it("goes by id, whatever else has changed", () => {
    const before = [releaseRow({ id: "1" }), releaseRow({ id: "2" })];
    const after = [releaseRow({ id: "2", question: "other" }), releaseRow({ id: "3" })];
    expect(matchReleases(before, after)).toEqual([
      { before: before[0], after: null },
      { before: before[1], after: after[0] },
      { before: null, after: after[1] },
    ]);
  });

  it("goes by question and database without ids, each question once", () => {
    const [first, twin] = [releaseRow({ id: null }), releaseRow({ id: null, position: 1 })];
    const elsewhere = releaseRow({ id: null, databaseId: "other", position: 2 });
    const after = [
      { ...elsewhere, gold: ["x"] },
      { ...first, gold: ["y"] },
      { ...twin, gold: ["z"] },
    ];
    expect(matchReleases([first, twin, elsewhere], after).map((pair) => pair.after?.gold?.[0])).toEqual([
      "y",
      "z",
      "x",
    ]);
  });

  it("finds a question put in other words by its gold, and one put otherwise throughout by its place", () => {
    const before = [
      releaseRow({ id: null, question: "a", gold: ["A"] }),
      releaseRow({ id: null, question: "b", gold: ["B"], position: 1 }),
    ];
    const after = [
      releaseRow({ id: null, question: "c", gold: ["C"] }),
      releaseRow({ id: null, question: "d", gold: ["B"], position: 1 }),
    ];
    expect(matchReleases(before, after).map((pair) => pair.after?.question)).toEqual(["c", "d"]);
    expect(matchReleases(before, after.slice(0, 1)).map((pair) => pair.after)).toEqual([
      null,
      null,
      after[0],
    ]);
  });
});

describe("changedFields", () => {
  const change = (changes: Parameters<typeof releaseRow>[0]) =>
    changedFields({ before: releaseRow(), after: releaseRow(changes) });

  it("compares every byte, and not what one side lacks", () => {
    expect(change({})).toEqual([]);
    expect(change({ gold: ["SELECT  1"], question: "how many?", evidence: " ", databaseId: "b" })).toEqual([
      "gold",
      "question",
      "evidence",
      "database",
    ]);
    expect(change({ gold: null, evidence: null, databaseId: null })).toEqual([]);
    expect(changedFields({ before: null, after: releaseRow() })).toEqual([]);
  });

  it("knows what says the same in other bytes", () => {
    const same = (changes: Parameters<typeof releaseRow>[0]) => {
      const pair = { before: releaseRow(), after: releaseRow(changes) };
      return unchangedInSubstance(pair, changedFields(pair));
    };
    expect(same({ gold: ["select 1; -- one"], question: " How  many?", evidence: "\n" })).toEqual([
      "gold",
      "question",
      "evidence",
    ]);
    expect(same({ gold: ["SELECT 2"], question: "how many?", evidence: "x" })).toEqual([]);
  });
});
