import type { ModelReply } from "../core/model.ts";
import type { Usage } from "../core/trajectory.ts";

const CHARACTERS_PER_TOKEN = 4;

/** Sums over replies; `null` where one of them does not say. */
export function totalUsage(replies: readonly ModelReply[]): Usage {
  return {
    promptTokens: total(replies.map(({ usage }) => usage.promptTokens)),
    completionTokens: total(replies.map(({ usage }) => usage.completionTokens)),
    costMicroUsd: total(replies.map(({ usage }) => usage.costMicroUsd)),
  };
}

/** Completion tokens that replies took, for a budget: a reply that does not say counts one for four characters. */
export function spentTokens(replies: readonly ModelReply[]): number {
  return replies.reduce((sum, { usage, reasoning, content, toolCalls }) => {
    if (usage.completionTokens !== null) return sum + usage.completionTokens;
    const calls = toolCalls.map(({ name, argumentsRaw }) => name.length + argumentsRaw.length);
    const characters = [(reasoning ?? "").length, content.length, ...calls].reduce(
      (all, one) => all + one,
      0,
    );
    return sum + Math.ceil(characters / CHARACTERS_PER_TOKEN);
  }, 0);
}

function total(counts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const count of counts) {
    if (count === null) return null;
    sum += count;
  }
  return sum;
}
