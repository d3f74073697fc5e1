import type { z } from "zod";
import type { ScoredSample } from "../core/rows.ts";
import { consensus } from "./consensus.ts";
import type { PassFigures, UniqueFigures, VoteFigures } from "./evaluated-rows.ts";
import { majorityVote } from "./majority-vote.ts";
import { MeanCounter } from "./mean-counter.ts";
import { passAtK, passHatK } from "./pass-at-k.ts";
import { verdictOf } from "./pass-rates.ts";
import { type Candidate, resultClusters } from "./result-clusters.ts";

/** A judged sample with the text of its answer. */
export interface AnsweredSample {
  readonly sample: ScoredSample;
  readonly sql: string | null;
}

/** Who the votes over all samples of a question elect; `null` for nobody. */
export interface Elected {
  readonly majority: Candidate | null;
  readonly consensus: Candidate | null;
}

const METHODS = [
  ["majority", majorityVote],
  ["consensus", consensus],
] as const;

/**
 * What the samples of a question are worth together, averaged over questions: pass@k and pass^k, the votes of the
 * first k samples, and how many different answers are among them, for each k of a list. A question counts for a k
 * where it has as many samples.
 */
export class AttemptFigures {
  readonly #metrics: readonly string[];
  readonly #attempts: readonly number[];
  readonly #pass = new Map<string, { readonly any: MeanCounter; readonly all: MeanCounter }>();
  readonly #votes = new Map<string, { readonly mean: MeanCounter; unanswered: number }>();
  readonly #unique = new Map<number, { readonly sql: MeanCounter; readonly results: MeanCounter }>();

  /** `attempts`: the numbers of samples to look at, ascending. */
  constructor(metrics: readonly string[], attempts: readonly number[]) {
    this.#metrics = metrics;
    this.#attempts = attempts;
  }

  /** Adds a question that can be judged, its samples in index order. */
  add(answers: readonly AnsweredSample[]): void {
    for (const metric of this.#metrics) this.#addPass(answers, metric);
    for (const k of this.#attempts.filter((attempts) => attempts <= answers.length)) {
      const first = answers.slice(0, k);
      for (const [method, elect] of METHODS) this.#addVote(first, method, elect(first.map(candidateOf)));
      this.#addUnique(first);
    }
  }

  passFigures(): z.infer<typeof PassFigures>[] {
    return this.#each(this.#pass).map(([[metric, k], { any, all }]) => ({
      metric,
      k,
      questions: any.count,
      passAtK: any.mean ?? 0,
      passHatK: all.mean ?? 0,
    }));
  }

  voteFigures(): z.infer<typeof VoteFigures>[] {
    return METHODS.flatMap(([method]) =>
      this.#metrics.flatMap((metric) =>
        this.#attempts.flatMap((k) => {
          const figures = this.#votes.get(keyOf(method, metric, k));
          if (figures === undefined) return [];
          const { mean, unanswered } = figures;
          return [{ method, metric, k, questions: mean.count, mean: mean.mean ?? 0, unanswered }];
        }),
      ),
    );
  }

  uniqueFigures(): z.infer<typeof UniqueFigures>[] {
    return [...this.#unique]
      .sort(([left], [right]) => left - right)
      .map(([k, { sql, results }]) => ({
        k,
        questions: sql.count,
        sql: sql.mean ?? 0,
        results: results.mean ?? 0,
      }));
  }

  #addPass(answers: readonly AnsweredSample[], metric: string): void {
    const scores = answers.flatMap(({ sample }) => {
      const verdict = verdictOf(sample, metric);
      return verdict.status === "scored" ? [verdict.score] : [];
    });
    const right = scores.filter((score) => score === 1).length;
    for (const k of this.#attempts) {
      const any = passAtK(scores.length, right, k);
      if (any === undefined) continue;
      const key = keyOf(metric, k);
      const figures = this.#pass.get(key) ?? { any: new MeanCounter(), all: new MeanCounter() };
      this.#pass.set(key, figures);
      figures.any.add(any);
      figures.all.add(passHatK(scores.length, right, k) ?? 0);
    }
  }

  #addVote(answers: readonly AnsweredSample[], method: string, winner: Candidate | null): void {
    const elected = answers.find(({ sample }) => sample.sampleIndex === winner?.sampleIndex);
    for (const metric of this.#metrics) {
      const verdict = elected === undefined ? undefined : verdictOf(elected.sample, metric);
      if (verdict?.status === "unscored") continue;
      const key = keyOf(method, metric, answers.length);
      const figures = this.#votes.get(key) ?? { mean: new MeanCounter(), unanswered: 0 };
      this.#votes.set(key, figures);
      figures.mean.add(verdict?.score ?? 0);
      if (elected === undefined) figures.unanswered += 1;
    }
  }

  #addUnique(answers: readonly AnsweredSample[]): void {
    const figures = this.#unique.get(answers.length) ?? {
      sql: new MeanCounter(),
      results: new MeanCounter(),
    };
    this.#unique.set(answers.length, figures);
    figures.sql.add(new Set(answers.flatMap(({ sql }) => (sql === null ? [] : [sql.trim()]))).size);
    figures.results.add(resultClusters(answers.map(candidateOf), { keepsEmpty: true }).length);
  }

  #each<T>(figures: ReadonlyMap<string, T>): (readonly [readonly [string, number], T])[] {
    return this.#metrics.flatMap((metric) =>
      this.#attempts.flatMap((k) => {
        const found = figures.get(keyOf(metric, k));
        return found === undefined ? [] : [[[metric, k], found] as const];
      }),
    );
  }
}

/** Who the votes over all samples elect. */
export function electedOf(answers: readonly AnsweredSample[]): Elected {
  const candidates = answers.map(candidateOf);
  return { majority: majorityVote(candidates), consensus: consensus(candidates) };
}

function candidateOf({ sample, sql }: AnsweredSample): Candidate {
  return { sampleIndex: sample.sampleIndex, sql, execution: sample.execution };
}

function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join(" ");
}
