import { z } from "zod";
import { type CurriculumItem, defineCurriculum } from "../../core/curriculum.ts";

const Options = z.strictObject({
  /** Hard but solvable questions, spread over hardness. */
  balanced: z.int().nonnegative().default(700),
  /** Questions of the SFT set that no sample gets right. */
  taught: z.int().nonnegative().default(127),
  /** Questions of {@link Options.shape.syntheticDataset} that no sample gets right. */
  synthetic: z.int().nonnegative().default(100),
  syntheticDataset: z.string().default("synsql"),
  /** Other questions of these hardnesses that no sample gets right. */
  extraHard: z.int().nonnegative().default(100),
  extraHardness: z.array(z.string()).min(1).default(["extra"]),
});
type Options = z.infer<typeof Options>;

/**
 * Level 0 is the balanced set: some samples right and some wrong, the nearest to half right first, as many of each
 * hardness as there are, the rest filled up from the others. Level 1 is exploration, of questions that no sample gets
 * right, from three sources: the SFT set, synthetic questions, extra-hard ones; a source with fewer gives what it has.
 * Everything else is left out. Whether a question is also in the SFT set makes no difference to the balanced set: the
 * overlap is the paper's. Needs a filter that keeps what is never right (`filter.intractable: null`).
 * The formula of the balanced set is not in the paper: nearest to half right is where group advantages say most.
 *
 * @paper SQL-Trail, RL set: 700 balanced and 327 for exploration by pass@6
 */
export default defineCurriculum({
  id: "sql-trail-sets",
  version: 1,
  needsRates: true,
  hasOwnLevels: true,
  options: Options,
  leavesOut(items, options) {
    const chosen = new Set([...balanced(items, options), ...exploration(items, options)]);
    return new Map(
      items.filter((item) => !chosen.has(item)).map(({ exampleId }) => [exampleId, "not_in_a_set"]),
    );
  },
  order(items, _levels, random, options) {
    const first = new Set(balanced(items, options));
    const rest = items.filter((item) => !first.has(item)).sort(byPosition);
    return [random.shuffle([...first].sort(byPosition)), random.shuffle(rest)]
      .flatMap((set, level) => set.map(({ exampleId }) => ({ exampleId, level })))
      .map((place, rank) => ({ ...place, rank }));
  },
});

function balanced(items: readonly CurriculumItem[], { balanced: size }: Options): CurriculumItem[] {
  const mixed = items.filter(({ n, c }) => c > 0 && c < n).sort(byInformation);
  const hardnesses = [...new Set(mixed.map(({ hardness }) => hardness))];
  const queues = hardnesses.map((level) => mixed.filter(({ hardness }) => hardness === level));
  const chosen: CurriculumItem[] = [];
  for (let round = 0; chosen.length < size && queues.some((queue) => round < queue.length); round += 1) {
    const next = queues.flatMap((queue) => queue[round] ?? []).sort(byInformation);
    chosen.push(...next.slice(0, size - chosen.length));
  }
  return chosen;
}

function exploration(items: readonly CurriculumItem[], options: Options): CurriculumItem[] {
  const failed = items.filter(({ n, c }) => n > 0 && c === 0).sort(byPosition);
  const taken = new Set<CurriculumItem>();
  const take = (count: number, isOfSource: (item: CurriculumItem) => boolean): void => {
    const source = failed.filter((item) => !taken.has(item) && isOfSource(item));
    for (const item of source.slice(0, count)) taken.add(item);
  };
  take(options.taught, ({ taught = false }) => taught);
  take(options.synthetic, ({ dataset }) => dataset === options.syntheticDataset);
  take(
    options.extraHard,
    ({ hardness, dataset }) =>
      dataset !== options.syntheticDataset && hardness !== null && options.extraHardness.includes(hardness),
  );
  return [...taken];
}

function byInformation(left: CurriculumItem, right: CurriculumItem): number {
  return information(right) - information(left) || byPosition(left, right);
}

/** The variance of a right-or-wrong reward in a group. */
function information({ n, c }: CurriculumItem): number {
  return (c / n) * (1 - c / n);
}

function byPosition(left: CurriculumItem, right: CurriculumItem): number {
  return left.position - right.position;
}
