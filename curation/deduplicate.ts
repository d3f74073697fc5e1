import { z } from "zod";
import { Example } from "../core/example.ts";
import { DroppedExample, KeptExample } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import { mergeByExample } from "./merge-by-example.ts";
import { countShingles, NearDuplicates } from "./near-duplicates.ts";
import { sameQuestionKey } from "./question-words.ts";

/** How alike two questions on one database must be to be one. Each level takes those before it in. */
export const DeduplicateOptions = z.strictObject({
  level: z.enum(["exact", "normalised", "near"]).default("normalised"),
  /** For `near`: the share of words and pairs of words that both have, 0 to 1; numbers and names in quotes must be equal. */
  threshold: z.number().gt(0).max(1).default(0.8),
});
export type DeduplicateOptions = z.infer<typeof DeduplicateOptions>;

/**
 * Keeps the first of questions that are one: on the same database, with the same evidence, after the same earlier
 * turns. `exact` compares characters, `normalised` words in lower case, `near` also takes small changes of words.
 * The overlap between the SFT and the RL set is not touched: it is made of what is kept here.
 */
export const deduplicateStage = defineStage({
  name: "deduplicate",
  version: 1,
  inputs: { kept: KeptExample, examples: Example },
  outputs: { kept: KeptExample, dropped: DroppedExample },
  options: DeduplicateOptions,
  balances: [{ input: "kept", outputs: ["kept", "dropped"] }],
  async *run({ inputs, options, context }) {
    const seen = new Map<string, string>();
    const frequencies = new Map<string, number>();
    if (options.level === "near") {
      for await (const { question } of inputs.examples()) countShingles(question, frequencies);
    }
    const near = new NearDuplicates(options.threshold, frequencies);
    const merged = mergeByExample(inputs.examples, ({ id }) => id, { kept: inputs.kept });
    for await (const { leader: example, position, total, rows } of merged) {
      context.progress(position + 1, total);
      const [row] = rows.kept;
      if (row === undefined) continue;
      const scope = scopeOf(example);
      const question = options.level === "exact" ? example.question : sameQuestionKey(example.question);
      const key = JSON.stringify([scope, question]);
      const same = seen.get(key);
      const alike = same ?? (options.level === "near" ? near.find(scope, example.question) : undefined);
      if (alike === undefined) {
        seen.set(key, example.sourceId);
        if (options.level === "near") near.add(scope, example.question, example.sourceId);
        yield { port: "kept", row } as const;
        continue;
      }
      const reason = same === undefined ? "near_duplicate" : "duplicate";
      const message = `it asks what ${alike} asks`;
      const { exampleId, sourceId, databaseId } = row;
      yield { port: "dropped", row: { exampleId, sourceId, databaseId, reason, message } } as const;
    }
  },
});

/** What must be equal for two questions to be comparable. */
function scopeOf({ databaseId, evidence, history }: Example): string {
  const earlier = history.map(({ question }) => sameQuestionKey(question));
  return JSON.stringify([databaseId, sameQuestionKey(evidence ?? ""), earlier]);
}
