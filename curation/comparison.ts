import { z } from "zod";
import { type BootstrapInterval, bootstrapInterval } from "./bootstrap.ts";
import { type McNemar, mcnemar } from "./mcnemar.ts";

/** A difference of right-or-wrong scores is called real where the exact test's p-value is below this. */
export const SIGNIFICANCE = 0.05;

/** A question that both sides answered: its place in the dataset, and how right each side was. */
export const Flip = z.strictObject({
  exampleId: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  before: z.number(),
  after: z.number(),
});
export type Flip = z.infer<typeof Flip>;

/** Two sets of answers to the same questions, held against each other by one metric. */
export interface Comparison {
  readonly metric: string;
  /** Questions that both sides have a score of: all figures are over these. */
  readonly pairs: number;
  /** Questions that only one side has a score of, and those that neither has. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly neither: number;
  /** Mean scores, and their difference; `null` without pairs. */
  readonly before: number | null;
  readonly after: number | null;
  readonly difference: number | null;
  /** Of the difference, over questions. */
  readonly interval: BootstrapInterval | null;
  /** Questions of equal scores: 1, and less. */
  readonly bothRight: number;
  readonly bothWrong: number;
  /** Whether every score is 0 or 1: one answer a side, by a metric that knows right and wrong alone. */
  readonly isBinary: boolean;
  /** Of questions that scored lower and higher; where scores are graded, its exact test is the sign test. */
  readonly mcnemar: McNemar;
  /**
   * Whether the difference is real: by McNemar's exact test at the five percent level where scores are right or wrong,
   * else where the interval of the difference leaves 0 out.
   */
  readonly isReal: boolean;
  /** The result as a sentence. */
  readonly sentence: string;
  /** Higher scores after than before, and lower ones, in the order of the second side's questions. */
  readonly gained: readonly Flip[];
  readonly lost: readonly Flip[];
}

/**
 * Pairs up the scores of two sides, question by question; of several answers a side has their mean score. Holds one
 * number a question and the questions that flipped.
 */
export class PairedScores {
  readonly #metric: string;
  #differences = new Float64Array(1024);
  #pairs = 0;
  readonly #sums = { before: 0, after: 0 };
  readonly #unpaired = { onlyBefore: 0, onlyAfter: 0, neither: 0 };
  readonly #agreed = { right: 0, wrong: 0 };
  readonly #gained: Flip[] = [];
  readonly #lost: Flip[] = [];
  #isBinary = true;

  constructor(metric: string) {
    this.#metric = metric;
  }

  /** Adds a question; a side's score is `null` where it has none. */
  add(
    question: Pick<Flip, "exampleId" | "sourceId" | "databaseId">,
    before: number | null,
    after: number | null,
  ): void {
    if (before === null || after === null) {
      const kind = before !== null ? "onlyBefore" : after !== null ? "onlyAfter" : "neither";
      this.#unpaired[kind] += 1;
      return;
    }
    this.#push(after - before);
    this.#sums.before += before;
    this.#sums.after += after;
    const flip = { ...question, before, after };
    this.#isBinary &&= [before, after].every((score) => score === 0 || score === 1);
    if (after > before) this.#gained.push(flip);
    else if (after < before) this.#lost.push(flip);
    else this.#agreed[after === 1 ? "right" : "wrong"] += 1;
  }

  /** The comparison of all questions added; `seed` is the bootstrap's. */
  finish(seed: number): Comparison {
    const pairs = this.#pairs;
    const test = mcnemar(this.#lost.length, this.#gained.length);
    const mean = (sum: number): number | null => (pairs === 0 ? null : sum / pairs);
    const before = mean(this.#sums.before);
    const after = mean(this.#sums.after);
    const interval = bootstrapInterval(this.#differences.subarray(0, pairs), seed);
    const excludesNone = interval !== null && (interval.low > 0 || interval.high < 0);
    const figures = {
      metric: this.#metric,
      pairs,
      ...this.#unpaired,
      before,
      after,
      difference: before === null || after === null ? null : after - before,
      interval,
      bothRight: this.#agreed.right,
      bothWrong: this.#agreed.wrong,
      isBinary: this.#isBinary,
      mcnemar: test,
      isReal: this.#isBinary ? test.exactP < SIGNIFICANCE : excludesNone,
    };
    return { ...figures, sentence: sentenceOf(figures), gained: this.#gained, lost: this.#lost };
  }

  #push(difference: number): void {
    if (this.#pairs === this.#differences.length) {
      const wider = new Float64Array(this.#differences.length * 2);
      wider.set(this.#differences);
      this.#differences = wider;
    }
    this.#differences[this.#pairs] = difference;
    this.#pairs += 1;
  }
}

function sentenceOf(
  figures: Pick<
    Comparison,
    "metric" | "pairs" | "difference" | "interval" | "mcnemar" | "isReal" | "isBinary"
  >,
): string {
  const { metric, pairs, difference, interval, isReal, isBinary } = figures;
  if (difference === null || interval === null) return `There is no question that both have a ${metric} of.`;
  const { gained, lost, exactP } = figures.mcnemar;
  const moved = `${metric} moves by ${points(difference)} points over ${pairs} questions (95% interval ${points(interval.low)} to ${points(interval.high)})`;
  const p = exactP < 0.0001 ? "p < 0.0001" : `p = ${exactP.toFixed(4)}`;
  const flips = isBinary
    ? `${gained} became right and ${lost} wrong, exact McNemar ${p}`
    : `${gained} scored higher and ${lost} lower`;
  const verdict = isReal
    ? "the difference is real"
    : gained + lost === 0
      ? "no question tells them apart"
      : "the difference can be chance";
  return `${moved}; ${flips}: ${verdict}.`;
}

function points(share: number): string {
  const text = (share * 100).toFixed(2);
  return share > 0 ? `+${text}` : text;
}
