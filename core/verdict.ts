import { z } from "zod";

/**
 * What a metric says of one answer: `scored` with a number, or `unscored` with a typed reason. Never NaN:
 * an answer that could not be judged has no number.
 */
export const Verdict = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("scored"),
    score: z.number(),
    /** Figures behind the score by name, as the metric's docstring lists them; left out where it has none. */
    details: z.record(z.string(), z.union([z.number(), z.array(z.number())])).optional(),
  }),
  z.strictObject({ status: z.literal("unscored"), reason: z.string(), message: z.string() }),
]);
export type Verdict = z.infer<typeof Verdict>;

/** What a verdict with a number holds. */
export type Scored = Extract<Verdict, { status: "scored" }>;

/** A verdict without a number. */
export type Unscored = Extract<Verdict, { status: "unscored" }>;

/** What a label says of one gold: a name such as `easy`, or why there is none. */
export const LabelVerdict = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("scored"), label: z.string() }),
  z.strictObject({ status: z.literal("unscored"), reason: z.string(), message: z.string() }),
]);
export type LabelVerdict = z.infer<typeof LabelVerdict>;

/** A verdict with a number. */
export function scored(score: number): Verdict {
  return { status: "scored", score };
}

/** A verdict with a number and the figures behind it. */
export function scoredWith(score: number, details: NonNullable<Scored["details"]>): Verdict {
  return { status: "scored", score, details };
}

/** A verdict without one. `reason` is a snake_case code. */
export function unscored(reason: string, message: string): Unscored {
  return { status: "unscored", reason, message };
}
