import { shortNumber } from "../synth/describe-accounts.ts";
import type { RolloutForecast, SamplingForecast } from "./forecast.ts";

/** What sampling would ask for, a block a step: episodes, replies, tokens and cost from least to most. */
export function renderForecasts(forecasts: Readonly<Record<string, SamplingForecast>>): string[] {
  return Object.entries(forecasts).map(([step, forecast]) => {
    const { questions, finishedSamples, rollouts } = forecast;
    const head = `${step} asks about ${questions} questions, all in all; ${finishedSamples} finished samples in the ledger are not asked again`;
    return [head, ...rollouts.map(renderRollout)].join("\n");
  });
}

function renderRollout(rollout: RolloutForecast): string {
  const parts = [
    `${rollout.episodes} episodes`,
    range(rollout.repliesAtLeast, rollout.repliesAtMost, "replies"),
    range(rollout.promptTokensAtLeast, rollout.promptTokensAtMost, "prompt tokens"),
    `up to ${shortNumber(rollout.completionTokensAtMost)} completion tokens`,
  ];
  const { costUsdAtLeast, costUsdAtMost } = rollout;
  if (costUsdAtLeast !== null && costUsdAtMost !== null) {
    parts.push(`$${costUsdAtLeast.toFixed(2)} to $${costUsdAtMost.toFixed(2)}`);
  }
  return `  ${rollout.model}, ${rollout.scaffold}: ${parts.join(", ")}`;
}

function range(least: number, most: number, unit: string): string {
  return least === most
    ? `${shortNumber(least)} ${unit}`
    : `${shortNumber(least)} to ${shortNumber(most)} ${unit}`;
}
