import { oneLineText } from "../../synth/one-line-text.ts";
import type { Decision } from "./decision.ts";

/** Decisions for a person, with what they change. */
export function renderDecisions(decisions: readonly Decision[], file: string): string {
  const lines = decisions.flatMap(({ decision, dataset, split, sourceId, check, corrections }) => [
    `${decision}: ${dataset} ${split} ${sourceId}${check === null ? "" : ` (${check})`}`,
    ...corrections.flatMap(({ field, before, after }) => [
      `  ${field} - ${before ?? "(none)"}`,
      `  ${field} + ${after ?? "(none)"}`,
    ]),
  ]);
  const count = decisions.reduce((sum, { corrections }) => sum + corrections.length, 0);
  if (count > 0) lines.push(`${count === 1 ? "1 correction" : `${count} corrections`} in ${file}`);
  return lines.map(oneLineText).join("\n");
}
