import { compareText } from "../../curation/compare-text.ts";
import type { AccuracyFigure, CostFigure } from "./report-document.ts";
import { type SystemName, systemKey } from "./system-labels.ts";

/** What a cost is counted of. */
export interface CostedAnswer extends SystemName {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly costMicroUsd: number | null;
  readonly replies: number;
  readonly toolCalls: number;
  readonly stopReason: string;
}

interface Sums {
  answers: number;
  promptTokens: number | null;
  completionTokens: number | null;
  costMicroUsd: number | null;
  replies: number;
  toolCalls: number;
  readonly stops: Map<string, number>;
}

/** Adds up what the answers of each system took. A sum over an answer that does not say is unknown. */
export class CostTally {
  readonly #systems = new Map<string, Sums>();

  add(answer: CostedAnswer): void {
    const key = systemKey(answer);
    const sums = this.#systems.get(key) ?? emptySums();
    this.#systems.set(key, sums);
    sums.answers += 1;
    sums.promptTokens = added(sums.promptTokens, answer.promptTokens);
    sums.completionTokens = added(sums.completionTokens, answer.completionTokens);
    sums.costMicroUsd = added(sums.costMicroUsd, answer.costMicroUsd);
    sums.replies += answer.replies;
    sums.toolCalls += answer.toolCalls;
    sums.stops.set(answer.stopReason, (sums.stops.get(answer.stopReason) ?? 0) + 1);
  }

  /** Ordered by system; `accuracy` holds the figures that stand beside them. */
  figures(labels: ReadonlyMap<string, string>, accuracy: readonly AccuracyFigure[]): CostFigure[] {
    const figures = [...this.#systems].map(([key, sums]): CostFigure => {
      const system = labels.get(key) ?? key;
      const { answers, promptTokens, completionTokens, costMicroUsd } = sums;
      const tokens = added(promptTokens, completionTokens);
      const costUsd = costMicroUsd === null ? null : costMicroUsd / 1_000_000;
      const figure = accuracy.find((row) => row.system === system);
      return {
        system,
        answers,
        promptTokens,
        completionTokens,
        costUsd,
        tokensPerAnswer: tokens === null ? null : tokens / answers,
        costUsdPerAnswer: costUsd === null ? null : costUsd / answers,
        repliesPerAnswer: sums.replies / answers,
        toolCallsPerAnswer: sums.toolCalls / answers,
        mean: figure?.mean ?? null,
        low: figure?.low ?? null,
        high: figure?.high ?? null,
        stopReasons: [...sums.stops]
          .map(([reason, count]) => ({ reason, count }))
          .sort((left, right) => right.count - left.count || compareText(left.reason, right.reason)),
      };
    });
    return figures.sort((left, right) => compareText(left.system, right.system));
  }
}

function emptySums(): Sums {
  return {
    answers: 0,
    promptTokens: 0,
    completionTokens: 0,
    costMicroUsd: 0,
    replies: 0,
    toolCalls: 0,
    stops: new Map(),
  };
}

function added(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more;
}
