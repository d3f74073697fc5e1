import { GradusError } from "../core/errors.ts";
import type { PlacedCorrection } from "./read-corrections.ts";

/**
 * A text after its corrections, each of which must find the text that it says it changes. One that says what an
 * earlier one said changes nothing.
 * @throws CORRECTION_STALE, CORRECTION_CONFLICT.
 */
export function correctedText(text: string | null, placed: readonly PlacedCorrection[]): string | null {
  let now = text;
  const applied: PlacedCorrection[] = [];
  for (const one of placed) {
    const { before, after } = one.correction;
    if (isRepeated(one, applied)) continue;
    if (before !== now)
      throw misfit(one, applied, now === null ? "nothing" : JSON.stringify(now), now === after);
    now = after;
    applied.push(one);
  }
  return now;
}

/**
 * Accepted golds after their corrections: each puts `after` in the place of `before`; without `before` it is one more
 * gold, without `after` one less.
 * @throws CORRECTION_STALE, CORRECTION_CONFLICT.
 */
export function correctedGold(golds: readonly string[], placed: readonly PlacedCorrection[]): string[] {
  let now = [...golds];
  const applied: PlacedCorrection[] = [];
  for (const one of placed) {
    const { before, after } = one.correction;
    if (isRepeated(one, applied)) continue;
    const isAccepted = after !== null && now.includes(after);
    const place = before === null ? -1 : now.indexOf(before);
    if (before === null ? isAccepted : place < 0) throw misfit(one, applied, listed(now), isAccepted);
    if (before === null) now.push(after as string);
    else if (after === null || isAccepted) now = now.filter((sql) => sql !== before);
    else now[place] = after;
    applied.push(one);
  }
  return now;
}

function isRepeated({ correction }: PlacedCorrection, applied: readonly PlacedCorrection[]): boolean {
  return applied.some(
    ({ correction: other }) => other.before === correction.before && other.after === correction.after,
  );
}

function listed(golds: readonly string[]): string {
  return golds.length === 0 ? "no SQL" : golds.map((sql) => JSON.stringify(sql)).join(" and ");
}

/** A correction that another one contradicts, or that the data have left behind. */
function misfit(
  placed: PlacedCorrection,
  applied: readonly PlacedCorrection[],
  now: string,
  isThere: boolean,
): GradusError {
  const { before, sourceId, field } = placed.correction;
  const rival = applied.find(({ correction }) => correction.before === before) ?? applied.at(-1);
  const wants = before === null ? "nothing" : JSON.stringify(before);
  if (rival !== undefined) {
    return refuse("CORRECTION_CONFLICT", placed, {
      problem: `line ${rival.line} of ${rival.file} has corrected the ${field} of question ${sourceId} already: there is now ${now}, expected ${wants}`,
      hint: "keep one of the two lines, or let the later one begin where the earlier one ends",
    });
  }
  return refuse("CORRECTION_STALE", placed, {
    problem: `the ${field} of question ${sourceId} is now ${now}, expected ${wants}`,
    hint: isThere
      ? "the data already say what it asks for: take the line away"
      : "look at the question as it is now, and write the correction anew or take the line away",
  });
}

/** The error that refuses a correction, with its place. */
export function refuse(
  code: string,
  { file, line }: PlacedCorrection,
  { problem, hint }: { readonly problem: string; readonly hint: string },
): GradusError {
  return new GradusError(code, `cannot apply the correction in line ${line} of ${file}: ${problem}`, {
    site: { file, line },
    hint,
  });
}
