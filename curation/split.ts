import { z } from "zod";
import { SeededRandom } from "../core/random.ts";
import { KeptExample, SplitExample } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import { compareText } from "./compare-text.ts";

/**
 * Parts kept examples into train and validation by whole databases, so that no dialogue and no schema is
 * on both sides. Databases are tried in a seeded order; one goes to validation when that brings its share
 * closer to `validationFraction`, so it stays under twice the fraction. Where every database is too large
 * for that, the smallest one goes, with a warning. Train is never empty: a single database is all train,
 * with a warning. Named databases are the validation split whatever their share, so that rounds can keep theirs.
 */
export const splitStage = defineStage({
  name: "split",
  version: 1,
  inputs: { kept: KeptExample },
  outputs: { examples: SplitExample },
  options: z.strictObject({
    /** Share of the examples, 0 for none. */
    validationFraction: z.number().min(0).lt(1).default(0.1),
    by: z.literal("database").default("database"),
    /** The databases of the validation split; `null` draws them. */
    databases: z.array(z.string()).nullable().default(null),
  }),
  balances: [{ input: "kept", outputs: ["examples"] }],
  async *run({ inputs, options, context }) {
    const counts = new Map<string, number>();
    for await (const { databaseId } of inputs.kept()) {
      counts.set(databaseId, (counts.get(databaseId) ?? 0) + 1);
    }
    const { validation, warning } =
      options.databases === null
        ? chooseValidation(counts, options.validationFraction, context.seed)
        : namedValidation(counts, options.databases);
    if (warning !== undefined) context.warn(warning);
    for await (const example of inputs.kept()) {
      const split = validation.has(example.databaseId) ? "validation" : "train";
      yield { port: "examples", row: { ...example, split } } as const;
    }
  },
});

function namedValidation(
  counts: ReadonlyMap<string, number>,
  databases: readonly string[],
): { readonly validation: ReadonlySet<string>; readonly warning: string | undefined } {
  const absent = databases.filter((databaseId) => !counts.has(databaseId));
  const warning =
    absent.length === 0
      ? undefined
      : `no kept example is of ${absent.join(", ")}, named for the validation split`;
  return { validation: new Set(databases), warning };
}

/** The databases of the validation split, from the number of examples of each. */
function chooseValidation(
  counts: ReadonlyMap<string, number>,
  fraction: number,
  seed: number,
): { readonly validation: ReadonlySet<string>; readonly warning: string | undefined } {
  const validation = new Set<string>();
  if (fraction === 0 || counts.size === 0) return { validation, warning: undefined };
  const sorted = [...counts].sort(([left], [right]) => compareText(left, right));
  const [only] = sorted;
  if (only !== undefined && sorted.length === 1) {
    const warning = `all examples are of one database (${only[0]}): they all go to train, validation is empty`;
    return { validation, warning };
  }
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const target = fraction * total;
  const shuffled = new SeededRandom(seed, "split").shuffle(sorted);
  let taken = 0;
  for (const [databaseId, count] of shuffled) {
    const isCloser = Math.abs(taken + count - target) < Math.abs(taken - target);
    if (!isCloser || validation.size === shuffled.length - 1) continue;
    validation.add(databaseId);
    taken += count;
  }
  if (validation.size > 0) return { validation, warning: undefined };
  const smallest = shuffled.reduce((least, entry) => (entry[1] < least[1] ? entry : least));
  const share = Math.round((100 * smallest[1]) / total);
  const warning = `no database is small enough for a validation fraction of ${fraction}: the smallest, ${smallest[0]}, goes to validation with ${share}% of the examples`;
  return { validation: new Set([smallest[0]]), warning };
}
