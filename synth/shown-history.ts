import type { Example } from "../core/example.ts";
import type { Json } from "../core/key.ts";
import type { Scaffold } from "../core/scaffold.ts";
import type { ShownTurn } from "../core/tool.ts";

/** What earlier turns of a dialogue are shown with: no SQL, gold's, or what the model itself answered. */
export type HistoryPolicy = "questions" | "gold" | "predicted";

/** The policy that a scaffold follows under its options, those left out at their defaults. */
export function historyPolicy(scaffold: Scaffold, options: Readonly<Record<string, Json>>): HistoryPolicy {
  const { history } = scaffold.options.parse(options) as { readonly history?: unknown };
  return history === "gold" || history === "predicted" ? history : "questions";
}

/** Earlier turns with gold SQL where the policy is `gold`, else without SQL. */
export function shownHistory(example: Example, policy: HistoryPolicy): readonly ShownTurn[] {
  return example.history.map(({ question, gold }) => ({ question, sql: policy === "gold" ? gold : null }));
}
