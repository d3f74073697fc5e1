import type { PlugFinder } from "../../core/plug.ts";
import type { CorrectedExample } from "../../datasets/corrected-examples.ts";
import { historyPolicy } from "../../synth/shown-history.ts";
import type { RolloutConfig } from "../config.ts";

/** What of a question a model sees differently after corrections. */
export type SeenChange = "question" | "evidence" | "history" | "gold";

/** How many samples of a question come of rollouts that show a model gold. */
export interface GoldShown {
  /** The golds of earlier turns. */
  readonly history: number;
  /** The question's own: a privileged teacher, or a schema reduced to what gold links. */
  readonly own: number;
}

/** Counts the samples a question whose rollouts show gold. Throws PLUG_UNKNOWN. */
export async function goldShown(
  rollouts: readonly RolloutConfig[],
  plugs: Pick<PlugFinder, "find">,
): Promise<GoldShown> {
  let history = 0;
  let own = 0;
  for (const { scaffold: id, options, samples } of rollouts) {
    const scaffold = await plugs.find("scaffold", id);
    const parsed: unknown = scaffold.options.parse(options);
    if (historyPolicy(scaffold, options) === "gold") history += samples;
    if (scaffold.readsGold || scaffold.prelude?.(parsed) === "gold_links") own += samples;
  }
  return { history, own };
}

/** What a model sees differently, and how many samples of the question that concerns at most. */
export function seenChanges(
  { example, before }: Pick<CorrectedExample, "example" | "before">,
  shown: GoldShown,
): { readonly because: readonly SeenChange[]; readonly most: number } {
  const because: SeenChange[] = [];
  if (example.question !== before.question) because.push("question");
  if (example.evidence !== before.evidence) because.push("evidence");
  const asksElse = example.history.some(
    ({ question }, index) => question !== before.history[index]?.question,
  );
  const answersElse = example.history.some(({ gold }, index) => gold !== before.history[index]?.gold);
  const concernsAll = because.length > 0 || asksElse;
  if (asksElse || (answersElse && shown.history > 0)) because.push("history");
  const isGoldElse = JSON.stringify(example.gold) !== JSON.stringify(before.gold);
  if (isGoldElse && shown.own > 0) because.push("gold");
  const golds = Math.max(answersElse ? shown.history : 0, isGoldElse ? shown.own : 0);
  return { because, most: concernsAll ? Number.POSITIVE_INFINITY : golds };
}
