import { defineCurriculum } from "../../core/curriculum.ts";

/**
 * One level in a seeded random order: the paper orders nothing, its data were chosen by the filter and its batches mix
 * questions and both tasks. The order of the items does not matter.
 * @paper DualSQL, training: no curriculum is named; the shuffle is ours
 */
export default defineCurriculum({
  id: "dualsql-order",
  version: 1,
  needsRates: false,
  hasOwnLevels: true,
  order: (items, _levels, random) => {
    const sorted = [...items].sort((left, right) => left.position - right.position);
    return random.shuffle(sorted).map(({ exampleId }, rank) => ({ exampleId, level: 0, rank }));
  },
});
