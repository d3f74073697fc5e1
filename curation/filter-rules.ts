import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import type { GoldRow, PassRate, StopRule } from "../core/rows.ts";
import { compareText } from "./compare-text.ts";

/** Which cells of the pass-rate table: models by name, settings by scaffold id; `null` for all. */
const CellChoice = z.strictObject({
  models: z.array(z.string()).min(1).nullable().default(null),
  settings: z.array(z.string()).min(1).nullable().default(null),
});
type CellChoice = z.infer<typeof CellChoice>;

const RateRule = CellChoice.extend({
  /** Fewer scored samples than this decide nothing. */
  minimumN: z.int().positive(),
  /** With settings named, whether the rule must hold in all of them or in any; without, they are one pool. */
  agree: z.enum(["all", "any"]).default("all"),
  /** The pass rate from which an example is trivial, or up to which it is intractable; `null` for 1 and 0. */
  rate: z.number().min(0).max(1).nullable().default(null),
});
type RateRule = z.infer<typeof RateRule>;

/** Both rules must be stated; `null` turns one off. */
export const FilterOptions = z.strictObject({
  /** Drops examples that every sample gets right, or as many as `rate` says. */
  trivial: RateRule.nullable(),
  /** Drops examples that no sample gets right, or as few as `rate` says. */
  intractable: RateRule.nullable(),
  /** Drops examples whose golds all return nothing. */
  dropEmptyGold: z.boolean().default(false),
  /** The cells behind a kept row's n and c. */
  figures: CellChoice.default({ models: null, settings: null }),
  /** The label that gives hardness; `null` for the dataset's own difficulty. */
  label: z.string().nullable().default("spider-hardness"),
});
export type FilterOptions = z.infer<typeof FilterOptions>;

/**
 * Why an example is dropped, the first that holds winning: its database, its gold, an empty gold where
 * that is asked for, no sample among `figures`, no scored sample among them, then the two rules. An
 * example that one model always gets right and another never is trivial.
 */
export const DROP_REASONS = [
  "database_missing",
  "database_unreadable",
  "no_gold",
  "gold_error",
  "gold_timeout",
  "gold_too_large",
  "gold_crashed",
  "gold_empty",
  "no_samples",
  "all_unscored",
  "trivial",
  "intractable",
] as const;
export type Bucket = "kept" | (typeof DROP_REASONS)[number];

/** The bucket of an example by its gold and its cells, and for a person why. Throws as the filter stage. */
export function bucketOf(
  gold: GoldRow,
  rates: readonly PassRate[],
  options: FilterOptions,
): { readonly bucket: Bucket; readonly message: string } {
  if (gold.reason !== "ok") return { bucket: goldBucket(gold), message: gold.message };
  if (options.dropEmptyGold && isEmpty(gold)) {
    return { bucket: "gold_empty", message: "the gold returns no rows" };
  }
  const cells = rates.filter((rate) => isChosen(rate, options.figures));
  if (cells.length === 0) return { bucket: "no_samples", message: "it has no samples" };
  if (pool(rates, options.figures).n === 0) {
    return { bucket: "all_unscored", message: `no sample has a score: ${unscoredReasons(cells)}` };
  }
  const trivial = settled(rates, options.trivial, IS_TRIVIAL);
  if (trivial !== undefined) return { bucket: "trivial", message: trivial };
  const intractable = settled(rates, options.intractable, IS_INTRACTABLE);
  if (intractable !== undefined) return { bucket: "intractable", message: intractable };
  return { bucket: "kept", message: "" };
}

/** The scored and right samples of the chosen cells, and whether any of these samples is simulated. */
export function pool(
  rates: readonly PassRate[],
  choice: CellChoice,
): { n: number; c: number; complete: boolean; simulated: boolean } {
  const pooled = { n: 0, c: 0, complete: true, simulated: false };
  for (const rate of rates) {
    if (!isChosen(rate, choice)) continue;
    pooled.n += rate.n;
    pooled.c += rate.c;
    pooled.complete &&= rate.stopRule === "complete";
    pooled.simulated ||= rate.simulated;
  }
  return pooled;
}

function isChosen(rate: PassRate, choice: CellChoice): boolean {
  return (
    (choice.models === null || choice.models.includes(rate.model.name)) &&
    (choice.settings === null || choice.settings.includes(rate.setting))
  );
}

/** What a rule asks, and the ways of ending early that settle it. */
interface Question {
  readonly holds: (n: number, c: number, rate: number) => boolean;
  /** The rate of a rule that states none; only this one is settled by samples that ended early. */
  readonly extreme: number;
  readonly settledBy: readonly StopRule[];
}

const IS_TRIVIAL: Question = {
  holds: (n, c, rate) => c >= rate * n,
  extreme: 1,
  settledBy: ["complete", "first_wrong", "mixed"],
};
const IS_INTRACTABLE: Question = {
  holds: (n, c, rate) => c <= rate * n,
  extreme: 0,
  settledBy: ["complete", "first_right", "mixed"],
};

/** Why a rule drops an example, `undefined` when it does not. */
function settled(
  rates: readonly PassRate[],
  rule: RateRule | null,
  { holds, extreme, settledBy }: Question,
): string | undefined {
  if (rule === null) return undefined;
  const bound = rule.rate ?? extreme;
  const settling = bound === extreme ? settledBy : ["complete"];
  for (const rate of rates) {
    const { models, settings } = rule;
    if (isChosen(rate, { models, settings }) && !settling.includes(rate.stopRule)) throw stoppedEarly(rate);
  }
  const choices = rule.settings?.map((setting) => ({ models: rule.models, settings: [setting] })) ?? [rule];
  const pools = choices.map((choice) => pool(rates, choice));
  const decides = ({ n, c }: { n: number; c: number }): boolean => n >= rule.minimumN && holds(n, c, bound);
  const drops = rule.agree === "all" ? pools.every(decides) : pools.some(decides);
  if (!drops) return undefined;
  return pools
    .map(({ n, c }, index) => {
      const setting = rule.settings?.[index];
      return `${c} of ${n} samples are right${setting === undefined ? "" : ` under ${setting}`}`;
    })
    .join(", ");
}

function stoppedEarly(rate: PassRate): GradusError {
  return new GradusError(
    "FILTER_RATE_STOPPED",
    `sampling of example ${rate.exampleId} by ${rate.model.name} under ${rate.setting} ended early (${rate.stopRule}), which does not settle this rule`,
    {
      site: { stage: "filter", rowId: rate.exampleId },
      hint: "sample it without early stop, or choose other models or settings in the filter's options",
    },
  );
}

function goldBucket(gold: GoldRow): Bucket {
  const known = DROP_REASONS.find((reason) => reason === gold.reason);
  if (known !== undefined) return known;
  throw new GradusError(
    "FILTER_REASON_UNKNOWN",
    `the gold row of example ${gold.exampleId} has the reason "${gold.reason}", expected ok or one of: ${DROP_REASONS.join(", ")}`,
    { site: { stage: "filter", rowId: gold.exampleId }, hint: "this is a defect: please report it" },
  );
}

function isEmpty(gold: GoldRow): boolean {
  const ran = (gold.executions ?? []).filter(({ status }) => status === "ok" || status === "empty");
  return ran.length > 0 && ran.every(({ status }) => status === "empty");
}

function unscoredReasons(cells: readonly PassRate[]): string {
  const counts = new Map<string, number>();
  for (const cell of cells) {
    for (const [reason, count] of Object.entries(cell.unscored)) {
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
  }
  return [...counts]
    .sort(([left], [right]) => compareText(left, right))
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
}
