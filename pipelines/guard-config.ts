import { z } from "zod";
import { DeduplicateOptions } from "../curation/deduplicate.ts";
import { GuardOptions } from "../curation/guard-options.ts";

/** Which questions are one: see the stage. */
export const DeduplicateConfig = DeduplicateOptions.nullable()
  .default(null)
  .describe("keep one of questions that are the same on one database; null keeps all");

/** What must not be trained on. `dataset`: the schema of a dataset of a config. */
export function guardConfig<D extends z.ZodType>(dataset: D) {
  return GuardOptions.extend({
    against: z
      .array(dataset)
      .min(1)
      .describe("test and validation splits that no training row may give away"),
  })
    .nullable()
    .default(null)
    .describe("drop questions that give a declared test or validation split away; null looks for none");
}
