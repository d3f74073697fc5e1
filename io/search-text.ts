/** Code points of a text that are looked for; the rest of a longer one is not. */
const MAX_TEXT = 1_000;
const MAX_WORDS = 64;
const MAX_TRIGRAMS = 160;

/** Code points that trigram matching needs. */
export const TRIGRAM = 3;

/** Values that the common terms of a search may have together, and terms that are looked for however many have them. */
const MAX_COMMON_VALUES = 400_000;
const MIN_COMMON = 2;

/** What a text has to share with what is looked for, see {@link isNear}. */
const SHARE_OF_ONE = 0.5;
const SHARE_OF_BOTH = 0.35;
const MIN_SHARED = 3;
const MIN_WORD = 4;

/**
 * A text in the form in which trigrams are compared: lower case without accents, control characters and white
 * space as single spaces.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]+/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim();
}

/** The distinct trigrams of a folded text in its order; none for one of less than three code points. */
export function trigramsOf(folded: string, most = Infinity): Set<string> {
  const points = Array.from(folded);
  const found = new Set<string>();
  for (let start = 0; start + TRIGRAM <= points.length && found.size < most; start += 1) {
    found.add(points.slice(start, start + TRIGRAM).join(""));
  }
  return found;
}

/** What is looked for, as FTS5 gets it. */
export interface SearchPlan {
  readonly index: "trigrams" | "words";
  /** Folded. Any of them is looked for. */
  readonly terms: readonly string[];
  /** Whether words that begin with a term count too. */
  readonly beginnings: boolean;
  /** What a match has to be near to; `null` where every match of a term counts. */
  readonly wanted: WantedText | null;
}

/** What is looked for, folded. Trigrams over the border of two words are left out where there are others. */
export interface WantedText {
  readonly trigrams: ReadonlySet<string>;
  readonly words: readonly string[];
}

function withinWords(trigrams: ReadonlySet<string>): ReadonlySet<string> {
  const within = [...trigrams].filter((trigram) => !trigram.includes(" "));
  return within.length === 0 ? trigrams : new Set(within);
}

/**
 * How to look for a text: any of its words, or any of its trigrams. A text too short for trigrams is looked for
 * as words and beginnings of words. `null` when nothing is left to look for.
 */
export function planSearch(text: string, matcher: "trigram" | "words"): SearchPlan | null {
  const cut = Array.from(text.slice(0, 2 * MAX_TEXT)).slice(0, MAX_TEXT);
  const folded = foldText(cut.join(""));
  const words = wordsOf(folded);
  const trigrams = matcher === "words" ? new Set<string>() : trigramsOf(folded, MAX_TRIGRAMS);
  if (trigrams.size > 0) {
    const wanted = {
      trigrams: withinWords(trigrams),
      words: words.filter((word) => word.length >= MIN_WORD),
    };
    return { index: "trigrams", terms: [...trigrams], beginnings: false, wanted };
  }
  if (words.length === 0) return null;
  return { index: "words", terms: words, beginnings: matcher === "trigram", wanted: null };
}

/**
 * The FTS5 expression of a plan, of quoted strings: nothing of the text is syntax in it. Of common terms only the
 * rarest are looked for, until so many values have them together as can be ranked while an agent waits.
 *
 * @param commonOf - how many values have a common term; `undefined` for any other
 */
export function searchExpression(plan: SearchPlan, commonOf: (term: string) => number | undefined): string {
  const common = plan.terms
    .map((term) => ({ term, values: commonOf(term) ?? 0 }))
    .filter(({ values }) => values > 0)
    .sort((left, right) => left.values - right.values || (left.term < right.term ? -1 : 1));
  const left = new Set<string>();
  let values = 0;
  common.forEach((one, place) => {
    values += one.values;
    if (place >= MIN_COMMON && values > MAX_COMMON_VALUES) left.add(one.term);
  });
  return plan.terms
    .filter((term) => !left.has(term))
    .flatMap((term) => (plan.beginnings ? [quoted(term), `${quoted(term)}*`] : [quoted(term)]))
    .join(" OR ");
}

function wordsOf(folded: string): string[] {
  const words = folded.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MAX_WORDS);
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/**
 * Whether a text is near enough to be a match: it has one of the longer words that are looked for, as a part or
 * whole; or half of the trigrams of one of the two are the other's; or both share a good part.
 */
export function isNear({ trigrams, words }: WantedText, text: string): boolean {
  const folded = foldText(text);
  if (words.some((word) => folded.includes(word))) return true;
  const own = withinWords(trigramsOf(folded));
  let shared = 0;
  for (const trigram of own) if (trigrams.has(trigram)) shared += 1;
  return (
    shared >= SHARE_OF_ONE * trigrams.size ||
    (shared >= MIN_SHARED && shared >= SHARE_OF_ONE * own.size) ||
    2 * shared >= SHARE_OF_BOTH * (own.size + trigrams.size)
  );
}
