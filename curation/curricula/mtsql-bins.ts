import { z } from "zod";
import { defineCurriculum } from "../../core/curriculum.ts";

/**
 * Most often right first: by the number of right samples from high to low, then by place in the dataset, in contiguous
 * bins of a fixed size, whatever number of levels is asked for. What every sample gets right is left out. With
 * `filter.metric` and `filter.also` the samples count that are right by all of them; the paper's are EX and EM.
 * Where examples have different numbers of scored samples it is the share that counts: not in the paper.
 *
 * @paper MTSQL-R1, curriculum: 20 rollouts, 20 of 20 dropped, bins of 2,000
 */
export default defineCurriculum({
  id: "mtsql-bins",
  version: 1,
  needsRates: true,
  hasOwnLevels: true,
  options: z.strictObject({ binSize: z.int().positive().default(2_000) }),
  leavesOut: (items) =>
    new Map(items.filter(({ n, c }) => n > 0 && c === n).map(({ exampleId }) => [exampleId, "always_right"])),
  order: (items, _levels, _random, { binSize }) =>
    [...items]
      .sort((left, right) => share(right) - share(left) || left.position - right.position)
      .map(({ exampleId }, rank) => ({ exampleId, level: Math.floor(rank / binSize), rank })),
});

function share({ n, c }: { readonly n: number; readonly c: number }): number {
  return n === 0 ? 0 : c / n;
}
