import { z } from "zod";
import { Example } from "./example.ts";
import { Message } from "./trajectory.ts";

/**
 * A right rollout of a question against a wrong one of the same question: what both saw, then where they part. The
 * prompt ends where a reply is due.
 */
export const PreferenceRow = z.strictObject({
  example: Example,
  split: z.enum(["train", "validation"]),
  /** The opening and every turn that both rollouts share, word for word. */
  prompt: z.array(Message).min(1),
  chosen: z.array(Message).min(1),
  rejected: z.array(Message).min(1),
  chosenId: z.string(),
  rejectedId: z.string(),
  /** Why the rejected one is wrong: `wrong`, `no_answer`; and where they part: `wrong_at_first_turn`, … */
  reason: z.string(),
  simulated: z.boolean(),
});
export type PreferenceRow = z.infer<typeof PreferenceRow>;
