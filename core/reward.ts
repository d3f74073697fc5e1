import { z } from "zod";
import type { Example } from "./example.ts";
import type { Execution } from "./execution.ts";
import type { LinkedTable, Trajectory } from "./trajectory.ts";
import type { LabelVerdict, Unscored, Verdict } from "./verdict.ts";

/** A statement that an agent ran or answered, judged against its example's gold. */
export interface JudgedStatement {
  readonly execution: Execution | null;
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

/** What a reward is made from: everything is known, nothing is run. */
export interface RewardInput {
  readonly example: Example;
  readonly trajectory: Trajectory;
  /** The tables and columns that the first gold reads; `null` where SQLite resolves none. */
  readonly goldLinks: readonly LinkedTable[] | null;
  /** Labels of the gold by id. */
  readonly labels: Readonly<Record<string, LabelVerdict>>;
  /** Verdicts of the answer by metric id; no answer is a wrong one, with score 0. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** What {@link Reward.statements} asked for, by its text. */
  readonly statements: ReadonlyMap<string, JudgedStatement>;
  /** Tokens of the trajectory after its prompt. */
  readonly tokens: number;
}

/** A part of a reward and the weight it has in the total, 0 where it is ablated. */
export const RewardTerm = z.strictObject({ value: z.number(), weight: z.number() });
export type RewardTerm = z.infer<typeof RewardTerm>;

/** A total with all its terms, or why there is none. */
export type RewardResult =
  | {
      readonly status: "scored";
      readonly total: number;
      readonly terms: Readonly<Record<string, RewardTerm>>;
    }
  | Unscored;

/**
 * What a trajectory is worth to a trainer: a pure function of it and of verdicts. Options hold the weights of the
 * terms by name in `terms`; a weight of 0 takes a term out. Every result has all the terms, in one order.
 */
export interface Reward<Options extends z.ZodType = z.ZodType> {
  readonly kind: "reward";
  readonly id: string;
  /** Bumped when a total can change. */
  readonly version: number;
  readonly options: Options;
  /** What is ours and not the paper's; empty where nothing is. */
  readonly deviations: readonly string[];
  /** Names of the terms, in order. */
  readonly terms: readonly string[];
  /** The metrics whose verdicts it reads. */
  metrics(options: z.infer<Options>): readonly string[];
  /** The labels of the gold that it reads. */
  labels(options: z.infer<Options>): readonly string[];
  /** Statements of the trajectory to judge besides the answer. */
  statements?(trajectory: Trajectory): readonly string[];
  score(input: RewardInput, options: z.infer<Options>): RewardResult;
}

/** Types a reward plug; the file's stem is its id. */
export function defineReward<Options extends z.ZodType>(reward: Omit<Reward<Options>, "kind">): Reward {
  return { kind: "reward", ...reward } as unknown as Reward;
}

/** A trajectory's reward as a run keeps it: `total` is `null` where there is none, and `reason` says why. */
export const RewardRow = z.strictObject({
  trajectoryId: z.string(),
  exampleId: z.string(),
  sampleIndex: z.int().nonnegative(),
  reward: z.string(),
  version: z.int().positive(),
  total: z.number().nullable(),
  terms: z.record(z.string(), RewardTerm),
  /** `ok`, or the reason of the verdict that is missing. */
  reason: z.string(),
  message: z.string(),
});
export type RewardRow = z.infer<typeof RewardRow>;
