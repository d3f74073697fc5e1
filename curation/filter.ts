import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { DroppedExample, GoldRow, KeptExample, PassRate } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import { type Bucket, bucketOf, DROP_REASONS, FilterOptions, pool } from "./filter-rules.ts";
import { mergeByExample } from "./merge-by-example.ts";

/** How many examples ended in a bucket: `kept`, or a reason to drop. */
export const FunnelRow = z.strictObject({ bucket: z.string(), count: z.int().nonnegative() });
export type FunnelRow = z.infer<typeof FunnelRow>;

/**
 * Keeps the examples worth training on. Each example ends in one bucket, the first of
 * {@link DROP_REASONS} that holds, else `kept`. `funnel` lists every bucket, `kept` first, then the reasons
 * in that order, with zeros. A kept row carries n and c pooled over the cells that `figures` selects, so
 * its n is at least 1.
 * @throws FILTER_GOLD_MISSING, FILTER_REASON_UNKNOWN, FILTER_RATE_STOPPED, STAGE_ORDER_BROKEN.
 */
export const filterStage = defineStage({
  name: "filter",
  version: 1,
  inputs: { examples: Example, golds: GoldRow, rates: PassRate },
  outputs: { kept: KeptExample, dropped: DroppedExample, funnel: FunnelRow },
  options: FilterOptions,
  balances: [{ input: "examples", outputs: ["kept", "dropped"] }],
  async *run({ inputs, options, context }) {
    const counts = new Map<Bucket, number>();
    const merged = mergeByExample(inputs.examples, (example) => example.id, {
      golds: inputs.golds,
      rates: inputs.rates,
    });
    for await (const { leader: example, position, total, rows } of merged) {
      const gold = onlyGold(example, rows.golds);
      const { bucket, message } = bucketOf(gold, rows.rates, options);
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      const identity = { exampleId: example.id, sourceId: example.sourceId, databaseId: example.databaseId };
      if (bucket === "kept") {
        const figures = pool(rows.rates, options.figures);
        const row = { ...identity, position, hardness: hardnessOf(example, gold, options.label), ...figures };
        yield { port: "kept", row } as const;
      } else {
        yield { port: "dropped", row: { ...identity, reason: bucket, message } } as const;
      }
      context.progress(position + 1, total);
    }
    for (const bucket of ["kept", ...DROP_REASONS] as const) {
      yield { port: "funnel", row: { bucket, count: counts.get(bucket) ?? 0 } } as const;
    }
  },
});

function onlyGold(example: Example, golds: readonly GoldRow[]): GoldRow {
  const [gold] = golds;
  if (gold !== undefined && golds.length === 1) return gold;
  throw new GradusError(
    "FILTER_GOLD_MISSING",
    `example ${example.id} has ${golds.length} gold rows, expected one`,
    {
      site: { stage: "filter", rowId: example.id },
      hint: "feed the golds of the score step that judged these examples",
    },
  );
}

function hardnessOf(example: Example, gold: GoldRow, label: string | null): string | null {
  if (label === null) return example.difficulty;
  const verdict = gold.labels[label];
  return verdict?.status === "scored" ? verdict.label : null;
}
