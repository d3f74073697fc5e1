import { type CurriculumItem, defineCurriculum } from "../../core/curriculum.ts";

/**
 * For trainers that drop groups whose rewards are all equal and put others in their place: level 0 holds the examples
 * whose samples disagreed, the most informative first; level 1 the reserve, of which some sample may turn out otherwise.
 * Informative is what is nearest to half right; within a tie the order is seeded. The paper draws replacements while it
 * trains; an order made beforehand is ours.
 *
 * @paper ReToolSQL, RL: dynamic sampling
 */
export default defineCurriculum({
  id: "dynamic",
  version: 1,
  needsRates: true,
  hasOwnLevels: true,
  order(items, _levels, random) {
    const sorted = [...items].sort((left, right) => left.position - right.position);
    return random
      .shuffle(sorted)
      .sort((left, right) => informativeness(right) - informativeness(left))
      .map((item, rank) => ({ exampleId: item.exampleId, level: informativeness(item) > 0 ? 0 : 1, rank }));
  },
});

/** The variance of a right-or-wrong reward in the group, 0 to 0.25. */
function informativeness({ n, c }: CurriculumItem): number {
  return n === 0 ? 0 : (c / n) * (1 - c / n);
}
