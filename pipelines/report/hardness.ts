import type { Example } from "../../core/example.ts";
import type { GoldRow } from "../../core/rows.ts";
import { compareText } from "../../curation/compare-text.ts";

/** Names whose order is not that of their letters: Spider's hardness, BIRD's difficulty, and what has neither. */
const LEVELS = ["easy", "medium", "hard", "extra", "simple", "moderate", "challenging"];
const LAST = "unknown";

/** The hardness of a question: the first label of its gold, else the dataset's difficulty, else `unknown`. */
export function hardnessOf(
  example: Pick<Example, "difficulty">,
  gold: Pick<GoldRow, "labels"> | undefined,
): string {
  for (const verdict of Object.values(gold?.labels ?? {})) {
    if (verdict.status === "scored") return verdict.label;
  }
  return example.difficulty ?? LAST;
}

/** Orders names of hardness: those known from easy to hard, others by name, `unknown` last. */
export function compareHardness(left: string, right: string): number {
  return placeOf(left) - placeOf(right) || compareText(left, right);
}

function placeOf(name: string): number {
  if (name === LAST) return LEVELS.length + 1;
  const place = LEVELS.indexOf(name);
  return place === -1 ? LEVELS.length : place;
}
