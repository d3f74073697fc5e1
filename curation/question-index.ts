import { questionWords } from "./question-words.ts";

/** Words that two words of a pair may be apart. */
const REACH = 3;
/** Questions whose word pairs are most alike: only these are compared word by word. */
const COMPARED = 10;
/** Of the weight of two words: what one in the place of the other costs, and one that has no partner. */
const REPLACED = 0.3;
const UNPARTNERED = 0.8;
/** How alignment and letters count beside word pairs, and how much weight of words it takes to be sure. */
const ALIGNMENT = 0.5;
const LETTERS = 0.5;
const SURENESS = 12;
/** The most that the parts come to. */
const WHOLE = 1 + ALIGNMENT + LETTERS;

/** How rare words and pairs of words are, over the questions that were added. */
export class QuestionWeights {
  readonly #counts = new Map<string, number>();
  #questions = 0;

  add(text: string): void {
    this.#questions += 1;
    for (const feature of new Set(featuresOf(questionWords(text)))) {
      this.#counts.set(feature, (this.#counts.get(feature) ?? 0) + 1);
    }
  }

  /** The inverse document frequency of a word or pair. */
  of(feature: string): number {
    return Math.log((this.#questions + 1) / ((this.#counts.get(feature) ?? 0) + 0.5));
  }
}

/** A question that is most like another. */
export interface NearQuestion {
  /** Its place among the questions of the index, from 0. */
  readonly place: number;
  /** At most 1; short questions of common words are far below it even when they are the same. */
  readonly similarity: number;
}

interface Indexed {
  readonly words: readonly string[];
  readonly letters: ReadonlySet<string>;
  readonly norm: number;
  /** Of its words. */
  readonly weight: number;
}

/**
 * Finds the question that another one paraphrases: by rare words and pairs of words that both have (cosine), by how
 * well they align when words are replaced one by one, and by their letters; less for questions that say little.
 * The weights of these parts were chosen on Spider-Syn's training questions against Spider's, where dev questions are
 * no paraphrases; see docs/split-guard.md for how it does elsewhere.
 */
export class QuestionIndex {
  readonly #weights: QuestionWeights;
  readonly #questions: Indexed[] = [];
  readonly #postings = new Map<string, { place: number; weight: number }[]>();

  constructor(texts: Iterable<string>, weights: QuestionWeights) {
    this.#weights = weights;
    for (const text of texts) this.#add(text);
  }

  /** The most similar question; `null` where none shares a word. */
  nearest(text: string): NearQuestion | null {
    const words = questionWords(text);
    const asked = { words, letters: lettersOf(words), weight: this.#weightOf(words) };
    let best: NearQuestion | null = null;
    for (const { place, cosine } of this.#candidates(words)) {
      const similarity = this.#similarity(asked, this.#questions[place] as Indexed, cosine);
      if (best === null || similarity > best.similarity) best = { place, similarity };
    }
    return best;
  }

  #add(text: string): void {
    const place = this.#questions.length;
    const words = questionWords(text);
    let square = 0;
    for (const feature of new Set(featuresOf(words))) {
      const weight = this.#weights.of(feature);
      square += weight * weight;
      const posting = this.#postings.get(feature);
      if (posting === undefined) this.#postings.set(feature, [{ place, weight }]);
      else posting.push({ place, weight });
    }
    const norm = Math.sqrt(square);
    this.#questions.push({ words, letters: lettersOf(words), norm, weight: this.#weightOf(words) });
  }

  #weightOf(words: readonly string[]): number {
    return words.reduce((sum, word) => sum + this.#weights.of(word), 0);
  }

  #candidates(words: readonly string[]): { place: number; cosine: number }[] {
    const products = new Float64Array(this.#questions.length);
    let square = 0;
    for (const feature of new Set(featuresOf(words))) {
      const weight = this.#weights.of(feature);
      square += weight * weight;
      for (const posting of this.#postings.get(feature) ?? []) {
        products[posting.place] = (products[posting.place] ?? 0) + weight * posting.weight;
      }
    }
    const norm = Math.sqrt(square);
    const best: { place: number; cosine: number }[] = [];
    for (const [place, product] of products.entries()) {
      if (product <= 0) continue;
      const cosine = product / (norm * (this.#questions[place]?.norm ?? 1));
      if (best.length === COMPARED && cosine <= (best.at(-1)?.cosine ?? 0)) continue;
      const at = best.findIndex((other) => other.cosine < cosine);
      best.splice(at === -1 ? best.length : at, 0, { place, cosine });
      if (best.length > COMPARED) best.pop();
    }
    return best;
  }

  #similarity(left: Omit<Indexed, "norm">, right: Indexed, cosine: number): number {
    const weight = (left.weight + right.weight) / 2;
    if (weight <= 0) return cosine / WHOLE;
    const aligned = 1 - this.#alignmentCost(left.words, right.words) / weight;
    const letters = jaccard(left.letters, right.letters);
    return (cosine + ALIGNMENT * aligned + LETTERS * letters - SURENESS / weight) / WHOLE;
  }

  /** The least cost of turning one list of words into the other, in time linear in the product of their lengths. */
  #alignmentCost(left: readonly string[], right: readonly string[]): number {
    const weights = right.map((word) => this.#weights.of(word));
    let row = [0];
    for (const weight of weights) row.push((row.at(-1) ?? 0) + UNPARTNERED * weight);
    for (const word of left) {
      const weight = this.#weights.of(word);
      const next = [(row[0] ?? 0) + UNPARTNERED * weight];
      for (const [index, other] of right.entries()) {
        const otherWeight = weights[index] ?? 0;
        const swap = word === other ? 0 : (REPLACED * (weight + otherWeight)) / 2;
        next.push(
          Math.min(
            (row[index] ?? 0) + swap,
            (row[index + 1] ?? 0) + UNPARTNERED * weight,
            (next[index] ?? 0) + UNPARTNERED * otherWeight,
          ),
        );
      }
      row = next;
    }
    return row.at(-1) ?? 0;
  }
}

/** Words, and pairs of words near each other with their distance; the ends of the question count as words of pairs. */
function featuresOf(words: readonly string[]): string[] {
  const marked = ["^", ...words, "$"];
  const features = [...words];
  for (const [place, word] of marked.entries()) {
    for (const [distance, other] of marked.slice(place + 1, place + 1 + REACH).entries()) {
      features.push(`${word} ${distance + 1} ${other}`);
    }
  }
  return features;
}

/** All runs of four characters. */
function lettersOf(words: readonly string[]): ReadonlySet<string> {
  const text = ` ${words.join(" ")} `;
  return new Set(Array.from({ length: Math.max(0, text.length - 3) }, (_, at) => text.slice(at, at + 4)));
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const one of left) if (right.has(one)) shared += 1;
  const union = left.size + right.size - shared;
  return union === 0 ? 0 : shared / union;
}
