import { describe, expect, it } from "vitest";
import { PairedScores } from "../../curation/comparison.ts";

const question = (name: string) => ({ exampleId: name, sourceId: name, databaseId: "ferries" });

describe("PairedScores", () => {
  it("counts every question once, and names those that flipped", () => {
    const paired = new PairedScores("bird-ex");
    paired.add(question("a"), 1, 1);
    paired.add(question("b"), 0, 1);
    paired.add(question("c"), 1, 0);
    paired.add(question("d"), 0, 1);
    paired.add(question("e"), 0, 0);
    paired.add(question("f"), null, 1);
    paired.add(question("g"), 1, null);
    paired.add(question("h"), null, null);
    const comparison = paired.finish(1);
    expect(comparison).toMatchObject({
      pairs: 5,
      onlyBefore: 1,
      onlyAfter: 1,
      neither: 1,
      before: 0.4,
      after: 0.6,
      bothRight: 1,
      bothWrong: 1,
      mcnemar: { lost: 1, gained: 2, exactP: 1 },
      isReal: false,
    });
    expect(comparison.gained.map(({ exampleId }) => exampleId)).toEqual(["b", "d"]);
    expect(comparison.lost).toEqual([{ ...question("c"), before: 1, after: 0 }]);
    expect(comparison.sentence).toContain(
      "2 became right and 1 wrong, exact McNemar p = 1.0000: the difference can be chance.",
    );
  });

  it("says where a difference is real", () => {
    const paired = new PairedScores("bird-ex");
    for (let index = 0; index < 40; index += 1) paired.add(question(String(index)), index % 2, 1);
    const { isReal, sentence, interval } = paired.finish(1);
    expect(isReal).toBe(true);
    expect(interval?.low).toBeGreaterThan(0.3);
    expect(sentence).toContain("bird-ex moves by +50.00 points over 40 questions");
    expect(sentence).toContain(
      "20 became right and 0 wrong, exact McNemar p < 0.0001: the difference is real.",
    );
  });

  it("says where nothing tells two apart, and where there is nothing to compare", () => {
    const same = new PairedScores("rex");
    same.add(question("a"), 1, 1);
    expect(same.finish(1).sentence).toContain("moves by 0.00 points over 1 questions");
    expect(same.finish(1).sentence).toContain("no question tells them apart");
    const none = new PairedScores("rex").finish(1);
    expect(none.interval).toBeNull();
    expect(none.sentence).toBe("There is no question that both have a rex of.");
  });

  it("goes by the interval where scores are graded or means of several answers", () => {
    const paired = new PairedScores("bird-ex");
    paired.add(question("a"), 0.5, 1);
    paired.add(question("b"), 0.5, 0.25);
    const mixed = paired.finish(1);
    expect(mixed).toMatchObject({
      before: 0.5,
      after: 0.625,
      bothRight: 0,
      bothWrong: 0,
      isBinary: false,
      isReal: false,
      mcnemar: { gained: 1, lost: 1 },
    });
    expect(mixed.sentence).toContain("1 scored higher and 1 lower: the difference can be chance.");
    const better = new PairedScores("bird-ex");
    for (const name of "abcde") better.add(question(name), 0.25, 0.75);
    expect(better.finish(1)).toMatchObject({ isReal: true, mcnemar: { exactP: 0.0625 } });
  });
});
