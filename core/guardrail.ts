import { z } from "zod";

/** What a reply can do against the protocol of its scaffold. */
export const Violation = z.enum([
  "empty_thought",
  "long_thought",
  "no_action",
  "several_actions",
  "malformed_call",
  "unknown_tool",
  "wrong_arguments",
  "repeated_call",
  "trailing_text",
  "untested_answer",
  "malformed_answer",
  "forged_result",
  "wrong_transition",
]);
export type Violation = z.infer<typeof Violation>;

/**
 * Guardrails as data, for any scaffold. In training mode a violation ends the rollout and only the faulty
 * reply is trained on; in test mode the agent is told and goes on.
 * @paper DualSQL, guardrails
 */
export const Guardrails = z.strictObject({
  mode: z.enum(["training", "test"]).default("test"),
  /** Which violations count; the rest are let pass where the reply still means something. */
  checks: z.array(Violation).default([...Violation.options]),
  /** The share of the last reply's characters that may follow its final block. */
  maxTrailingShare: z.number().min(0).max(1).default(0.5),
  /** Whether a cutoff takes earlier replies out of training. */
  masksEarlier: z.boolean().default(true),
});
export type Guardrails = z.infer<typeof Guardrails>;
