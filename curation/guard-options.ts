import { z } from "zod";

/** What is looked for, beside whole dialogues: an example goes with any leaking turn of its dialogue. */
export const GuardOptions = z.strictObject({
  /** By id and, where the files are there, by content. */
  databases: z.boolean().default(true),
  /** Questions of the same words, earlier turns that a prompt shows, and what a question is a published paraphrase of. */
  questions: z.boolean().default(true),
  /** Questions of fewer words are the same only on the same database: "Show all of them." is asked everywhere. */
  minimumWords: z.int().nonnegative().default(5),
  /** Paraphrases, from this similarity up; `null` looks for none. */
  near: z
    .strictObject({ threshold: z.number().max(1).default(0.3) })
    .nullable()
    .default({ threshold: 0.3 }),
});
export type GuardOptions = z.infer<typeof GuardOptions>;
