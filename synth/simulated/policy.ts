import { SeededRandom } from "../../core/random.ts";

/** How hard a question is: Spider's levels, or `unknown`. */
export type Hardness = "easy" | "medium" | "hard" | "extra" | "unknown";

/** The power of the competence that is the mean share of right answers: 0.5 is generous, 2.4 is strict. */
const EXPONENTS: Readonly<Record<Hardness, number>> = {
  easy: 0.5,
  medium: 1,
  hard: 1.6,
  extra: 2.4,
  unknown: 1.2,
};
/** Chances of the questions that are neither always nor never right lie between these. */
const MOST_UNCERTAIN = 0.1;
const LEAST_UNCERTAIN = 0.9;

/**
 * The chance in [0, 1] that a simulated model of this competence answers this question right. With the
 * mean m for the hardness, a share m² of the questions is always right, (1 - m)² never, and the rest in
 * between, so that the mean over questions is m. Which question falls where depends on the seed and the
 * example alone: a more competent model is right wherever a lesser one is.
 */
export function successProbability(
  seed: number,
  exampleId: string,
  hardness: Hardness,
  competence: number,
): number {
  const mean = competence ** EXPONENTS[hardness];
  const always = mean * mean;
  const sometimes = 2 * mean * (1 - mean);
  const place = new SeededRandom(seed, "simulated", exampleId).next();
  if (place < always) return 1;
  if (place >= always + sometimes) return 0;
  return LEAST_UNCERTAIN - ((place - always) / sometimes) * (LEAST_UNCERTAIN - MOST_UNCERTAIN);
}

/** A hardness by the length of a query in tokens, for those that Spider's parser refuses. */
export function hardnessByLength(tokens: number): Hardness {
  if (tokens <= 12) return "easy";
  if (tokens <= 30) return "medium";
  return tokens <= 55 ? "hard" : "extra";
}
