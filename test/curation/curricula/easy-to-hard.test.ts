import { describe, expect, it } from "vitest";
import type { CurriculumItem } from "../../../core/curriculum.ts";
import { SeededRandom } from "../../../core/random.ts";
import easyToHard from "../../../curation/curricula/easy-to-hard.ts";

function item(exampleId: string, position: number, parts: Partial<CurriculumItem> = {}): CurriculumItem {
  return { exampleId, position, hardness: null, n: 16, c: 8, ...parts };
}

function order(items: readonly CurriculumItem[], levels = 1) {
  return easyToHard.order(items, levels, new SeededRandom(1, "test"), {});
}

function idsInOrder(items: readonly CurriculumItem[]): string[] {
  return order(items).map(({ exampleId }) => exampleId);
}

function levelsOf(count: number, bins: number): number[] {
  const items = Array.from({ length: count }, (_, position) => item(`e${position}`, position));
  return order(items, bins).map(({ level }) => level);
}

describe("easy-to-hard", () => {
  it("puts the higher pass rate first, whatever the counts", () => {
    const items = [
      item("half", 0),
      item("unknown", 1, { n: 0, c: 0 }),
      item("never", 2, { c: 0 }),
      item("two thirds", 3, { n: 3, c: 2 }),
      item("always", 4, { n: 2, c: 2 }),
    ];
    expect(idsInOrder(items)).toEqual(["always", "two thirds", "half", "never", "unknown"]);
  });

  it("breaks equal rates by hardness, then by position", () => {
    const items = [
      item("unknown", 0),
      item("extra", 1, { hardness: "extra" }),
      item("odd", 2, { hardness: "odd" }),
      item("hard", 3, { hardness: "hard", n: 4, c: 2 }),
      item("second easy", 5, { hardness: "easy" }),
      item("first easy", 4, { hardness: "easy" }),
      item("medium", 6, { hardness: "medium" }),
    ];
    expect(idsInOrder(items)).toEqual([
      "first easy",
      "second easy",
      "medium",
      "hard",
      "extra",
      "unknown",
      "odd",
    ]);
  });

  it("knows the names of BIRD and SynSQL", () => {
    const names = ["Highly Complex", "challenging", "moderate", "simple"];
    const items = names.map((hardness, position) => item(hardness, position, { hardness }));
    expect(idsInOrder(items)).toEqual(["simple", "moderate", "challenging", "Highly Complex"]);
  });

  it("cuts contiguous levels of near-equal size", () => {
    expect(levelsOf(7, 3)).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(levelsOf(6, 3)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(levelsOf(2, 5)).toEqual([0, 1]);
    expect(levelsOf(0, 3)).toEqual([]);
  });
});
