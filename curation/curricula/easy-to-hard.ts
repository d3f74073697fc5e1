import { type CurriculumItem, defineCurriculum } from "../../core/curriculum.ts";

/** Hardness names of Spider, BIRD and SynSQL on one scale; a name that is not here comes after all of them. */
const HARDNESS_RANKS: Readonly<Record<string, number>> = {
  easy: 0,
  simple: 0,
  medium: 1,
  moderate: 1,
  hard: 2,
  challenging: 2,
  complex: 2,
  extra: 3,
  "highly complex": 3,
};

/**
 * Easiest first: by pass rate from high to low, then by hardness, then by place in the dataset. An example
 * without a scored sample comes last. Levels are contiguous bins of near-equal size, at most one for each
 * example. The order of the items does not matter, nor does the random source.
 *
 * @paper MTSQL-R1, curriculum: sort by success count, contiguous bins (there of a fixed size)
 */
export default defineCurriculum({
  id: "easy-to-hard",
  version: 1,
  needsRates: true,
  order(items, levels) {
    const bins = Math.min(levels, items.length);
    return [...items].sort(byEase).map((item, rank) => ({
      exampleId: item.exampleId,
      level: Math.floor((rank * bins) / items.length),
      rank,
    }));
  },
});

function byEase(left: CurriculumItem, right: CurriculumItem): number {
  return (
    compareRates(left, right) || hardnessRank(left) - hardnessRank(right) || left.position - right.position
  );
}

/** By cross-multiplication, so that 2/6 and 1/3 are equal. */
function compareRates(left: CurriculumItem, right: CurriculumItem): number {
  if (left.n === 0 || right.n === 0) return Number(left.n === 0) - Number(right.n === 0);
  return right.c * left.n - left.c * right.n;
}

function hardnessRank(item: CurriculumItem): number {
  const unknown = Object.keys(HARDNESS_RANKS).length;
  return item.hardness === null ? unknown : (HARDNESS_RANKS[item.hardness.toLowerCase()] ?? unknown);
}
