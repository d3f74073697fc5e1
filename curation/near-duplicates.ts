import { compareText } from "./compare-text.ts";
import { questionWords, sameQuestionKey } from "./question-words.ts";

interface Kept {
  readonly name: string;
  readonly shingles: ReadonlySet<string>;
  readonly fixed: string;
}

/** Questions by scope, found again when they come with small changes. */
export class NearDuplicates {
  readonly #threshold: number;
  readonly #frequencies: ReadonlyMap<string, number>;
  readonly #scopes = new Map<string, { readonly kept: Kept[]; readonly postings: Map<string, number[]> }>();

  /**
   * `threshold`: the Jaccard similarity of words and pairs of words from which two questions are one. `frequencies`: how
   * many questions have each of these, see {@link countShingles}; it decides how many are compared, not what is found.
   */
  constructor(threshold: number, frequencies: ReadonlyMap<string, number> = new Map()) {
    this.#threshold = threshold;
    this.#frequencies = frequencies;
  }

  /** The name of a question of the scope that this one is a duplicate of: the most similar, the first among equals. */
  find(scope: string, question: string): string | undefined {
    const found = this.#scopes.get(scope);
    if (found === undefined) return undefined;
    const shingles = shinglesOf(question);
    const fixed = fixedOf(question);
    const candidates = new Set<number>();
    for (const shingle of this.#signOf(shingles)) {
      for (const place of found.postings.get(shingle) ?? []) candidates.add(place);
    }
    let best: { readonly name: string; readonly similarity: number; readonly place: number } | undefined;
    for (const place of candidates) {
      const { name, shingles: others, fixed: otherFixed } = found.kept[place] as Kept;
      if (fixed !== otherFixed) continue;
      const similarity = jaccard(shingles, others);
      if (similarity < this.#threshold) continue;
      const isBetter =
        best === undefined ||
        similarity > best.similarity ||
        (similarity === best.similarity && place < best.place);
      if (isBetter) best = { name, similarity, place };
    }
    return best?.name;
  }

  add(scope: string, question: string, name: string): void {
    let found = this.#scopes.get(scope);
    if (found === undefined) {
      found = { kept: [], postings: new Map() };
      this.#scopes.set(scope, found);
    }
    const shingles = shinglesOf(question);
    const place = found.kept.push({ name, shingles, fixed: fixedOf(question) }) - 1;
    for (const shingle of this.#signOf(shingles)) {
      const posting = found.postings.get(shingle);
      if (posting === undefined) found.postings.set(shingle, [place]);
      else posting.push(place);
    }
  }

  /**
   * The rarest of the shingles, in one order for all questions: as many as must hold one of any question that is similar
   * enough, so that few are compared.
   */
  #signOf(shingles: ReadonlySet<string>): string[] {
    const least = Math.ceil(this.#threshold * shingles.size);
    const frequencyOf = (shingle: string): number => this.#frequencies.get(shingle) ?? 0;
    return [...shingles]
      .sort((left, right) => frequencyOf(left) - frequencyOf(right) || compareText(left, right))
      .slice(0, shingles.size - least + 1);
  }
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const shingle of left) if (right.has(shingle)) shared += 1;
  return shared / (left.size + right.size - shared);
}

/** Counts the words and pairs of words of a question. */
export function countShingles(question: string, frequencies: Map<string, number>): void {
  for (const shingle of shinglesOf(question)) frequencies.set(shingle, (frequencies.get(shingle) ?? 0) + 1);
}

function shinglesOf(question: string): ReadonlySet<string> {
  const words = questionWords(question);
  return new Set([...words, ...words.slice(1).map((word, index) => `${words[index]} ${word}`)]);
}

/** Words that turn a question around when they are exchanged or left out. */
const DECIDING = new Set(
  `not no never without except but only each every all any both either before after earlier later first last next
  previous more most less least fewer fewest over under above below between higher highest lower lowest larger largest
  smaller smallest greater greatest older oldest younger youngest longer longest shorter shortest maximum minimum average
  total sum count number distinct different unique same equal ascending descending increasing decreasing alphabetical
  reverse and or`.split(/\s+/),
);

/** Numbers, what stands in quotes, and deciding words: questions that differ in these ask for something else. */
function fixedOf(question: string): string {
  const numbers = question.match(/\d+(?:\.\d+)?/g) ?? [];
  const quoted = question.match(/"[^"]*"|'[^']*'(?!\w)|“[^”]*”/g) ?? [];
  const deciding = sameQuestionKey(question)
    .split(" ")
    .filter((word) => DECIDING.has(word));
  return JSON.stringify([...numbers, ...quoted, ...deciding]);
}
