import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import type { Json } from "../core/key.ts";

const Name = z.string().min(1).max(100);

/** What a rollout of an evaluation has besides what every rollout has. */
export const EVALUATED_ROLLOUT = {
  name: Name.nullable().default(null).describe("its name in tables; null takes the scaffold's"),
  variants: z
    .array(z.strictObject({ name: Name, options: z.record(z.string(), z.json()) }))
    .default([])
    .describe(
      "the same again with these options of the scaffold over its own: tool ablations, oracle schema, another history",
    ),
  tokenBudgets: z
    .array(z.int().positive())
    .default([])
    .describe("the same again with each of these budgets of a whole episode, completion tokens"),
};

/** What an evaluation has besides its datasets and rollouts. */
export const EVALUATION_FIELDS = {
  attempts: z
    .array(z.int().positive())
    .nullable()
    .default(null)
    .describe("numbers of samples to tell pass@k and votes for; null for powers of two up to all of them"),
  training: z
    .string()
    .nullable()
    .default(null)
    .describe("run or shards to search for evaluated questions; null takes this run, where it trains"),
  errorJudge: z
    .strictObject({
      model: z.string().describe("role of the model that names the errors, a key of models"),
      temperature: z.number().min(0).default(0),
      maxTokens: z.int().positive().default(1024),
    })
    .nullable()
    .default(null)
    .describe(
      "have a model name the errors of wrong answers too, of each question the first one; null asks none",
    ),
  checkGolds: z.boolean().default(true).describe("judge golds against themselves"),
  gradeGolds: z.boolean().default(false).describe("find golds that their data leave open"),
};

/** A rollout with its variants and budgets. */
export interface PlannedRollout {
  readonly model: string;
  readonly scaffold: string;
  readonly options: Readonly<Record<string, Json>>;
  readonly samples: number;
  readonly maxCompletionTokens: number | null;
  readonly stopEarly: string | null;
  readonly name: string | null;
  readonly variants: readonly { readonly name: string; readonly options: Readonly<Record<string, Json>> }[];
  readonly tokenBudgets: readonly number[];
}

/** One set of samples to take and judge: a rollout, or a variant of one. */
export interface EvaluationPlan<R extends PlannedRollout> {
  /** Unique among the plans. */
  readonly name: string;
  /** The name as a part of a step's id. */
  readonly slug: string;
  readonly rollout: PlainRollout<R>;
}

/** A rollout without what only evaluations know. */
export type PlainRollout<R> = Omit<R, "name" | "variants" | "tokenBudgets">;

/** A rollout as it is sampled. */
export function plainRollout<R extends PlannedRollout>(rollout: R): PlainRollout<R> {
  const { name: _name, variants: _variants, tokenBudgets: _budgets, ...plain } = rollout;
  return plain;
}

/**
 * The plans of an evaluation: each rollout, then its variants, then its token budgets. A rollout without a name has its
 * scaffold's, with the model's role behind it where another has the same.
 * @throws CONFIG_INVALID for two plans of one name, and for a rollout that stops early: it has no accuracy.
 */
export function evaluationPlans<R extends PlannedRollout>(rollouts: readonly R[]): EvaluationPlan<R>[] {
  const plans = rollouts.flatMap((rollout) => plansOf(rollout, nameOf(rollout, rollouts)));
  const slugs = new Set<string>();
  for (const { name, slug } of plans) {
    if (slugs.has(slug)) throw invalid(`evaluation.rollouts: two have the name "${name}"`, "give them names");
    slugs.add(slug);
  }
  return plans;
}

function nameOf(rollout: PlannedRollout, all: readonly PlannedRollout[]): string {
  if (rollout.name !== null) return rollout.name;
  const { scaffold, model } = rollout;
  const alike = all.filter((one) => one.name === null && one.scaffold === scaffold);
  return alike.length > 1 ? `${scaffold}, ${model}` : scaffold;
}

function plansOf<R extends PlannedRollout>(rollout: R, name: string): EvaluationPlan<R>[] {
  if (rollout.stopEarly !== null) {
    throw invalid(
      `evaluation.rollouts of ${name}: stopEarly leaves questions without all their samples`,
      "leave stopEarly out",
    );
  }
  const plain = plainRollout(rollout);
  const planOf = (title: string, changes: Partial<PlannedRollout>): EvaluationPlan<R> => ({
    name: title,
    slug: slugOf(title),
    rollout: { ...plain, ...changes },
  });
  return [
    planOf(name, {}),
    ...rollout.variants.map((variant) =>
      planOf(`${name}, ${variant.name}`, { options: { ...rollout.options, ...variant.options } }),
    ),
    ...rollout.tokenBudgets.map((budget) =>
      planOf(`${name}, ${budget} tokens`, { maxCompletionTokens: budget }),
    ),
  ];
}

/** A plan's name as a part of a step's id: lower case, with a hyphen for whatever is no letter or digit. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}

function invalid(message: string, hint: string): GradusError {
  return new GradusError("CONFIG_INVALID", `cannot use the config: ${message}`, { hint });
}
