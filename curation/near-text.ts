/** How a text that is looked for differs from one that is there. */
export type TextDifference = "spelling" | "near";

/** The nearest of some texts. */
export interface NearText {
  readonly text: string;
  /** `spelling`: the same but for case, space, accents and punctuation; `near`: a few letters, or a part of it. */
  readonly difference: TextDifference;
}

/** Longer texts are not compared letter by letter. */
const MAX_COMPARED = 64;

/** The text that is nearest to one that is not among them; `null` where none is near. */
export function nearText(wanted: string, texts: readonly string[]): NearText | null {
  const folded = foldText(wanted);
  if (folded === "") return null;
  const same = texts.find((text) => foldText(text) === folded);
  if (same !== undefined) return { text: same, difference: "spelling" };
  const limit = Math.min(3, Math.floor(folded.length / 4));
  let best: { text: string; distance: number } | null = null;
  for (const text of texts) {
    const other = foldText(text);
    if (limit === 0 || /^\d*$/.test(folded) || other.length > MAX_COMPARED) continue;
    if (Math.abs(other.length - folded.length) > limit) continue;
    const distance = editDistance(folded, other);
    if (distance <= limit && (best === null || distance < best.distance)) best = { text, distance };
  }
  if (best !== null) return { text: best.text, difference: "near" };
  const part = texts.find((text) => isPart(folded, foldText(text)));
  return part === undefined ? null : { text: part, difference: "near" };
}

/** A text without case, accents, space and punctuation; leading zeros of its numbers gone. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/(?<!\d)0+(?=\d)/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function isPart(wanted: string, other: string): boolean {
  const [short, long] = wanted.length < other.length ? [wanted, other] : [other, wanted];
  return short.length >= 4 && !/^\d+$/.test(short) && (long.startsWith(short) || long.endsWith(short));
}

/** The number of letters to insert, delete or replace. */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current[column] = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced);
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
