import { shortNumber } from "../synth/describe-accounts.ts";
import type { Forecasts, RolloutForecast } from "./forecast.ts";
import type { DescriptionForecast } from "./forecast-descriptions.ts";

/** What models would be asked for, a block a step: episodes, replies, tokens and cost from least to most. */
export function renderForecasts({ descriptions, sampling }: Forecasts): string[] {
  const described = Object.entries(descriptions).map(([step, forecast]) =>
    renderDescriptions(step, forecast),
  );
  const sampled = Object.entries(sampling).map(([step, forecast]) => {
    const { questions, finishedSamples, rollouts } = forecast;
    const head = `${step} asks about ${questions} questions, all in all; ${finishedSamples} finished samples in the ledger are not asked again`;
    return [head, ...rollouts.map(renderRollout)].join("\n");
  });
  return [...described, ...sampled];
}

function renderDescriptions(step: string, forecast: DescriptionForecast): string {
  const { model, requests, finishedSamples } = forecast;
  const parts = [
    range(requests, 2 * requests, "replies"),
    range(forecast.promptTokensAtLeast, forecast.promptTokensAtMost, "prompt tokens"),
    `up to ${shortNumber(forecast.completionTokensAtMost)} completion tokens`,
    ...costText(forecast),
  ];
  const head = `${step} asks about ${requests} parts of tables, all in all; ${finishedSamples} descriptions in the ledger are not asked again`;
  return `${head}\n  ${model}: ${parts.join(", ")}`;
}

function renderRollout(rollout: RolloutForecast): string {
  const parts = [
    `${rollout.episodes} episodes`,
    range(rollout.repliesAtLeast, rollout.repliesAtMost, "replies"),
    range(rollout.promptTokensAtLeast, rollout.promptTokensAtMost, "prompt tokens"),
    `up to ${shortNumber(rollout.completionTokensAtMost)} completion tokens`,
  ];
  return `  ${rollout.model}, ${rollout.scaffold}: ${[...parts, ...costText(rollout)].join(", ")}`;
}

function costText(cost: Pick<RolloutForecast, "costUsdAtLeast" | "costUsdAtMost">): string[] {
  const { costUsdAtLeast, costUsdAtMost } = cost;
  if (costUsdAtLeast === null || costUsdAtMost === null) return [];
  return [`$${costUsdAtLeast.toFixed(2)} to $${costUsdAtMost.toFixed(2)}`];
}

function range(least: number, most: number, unit: string): string {
  return least === most
    ? `${shortNumber(least)} ${unit}`
    : `${shortNumber(least)} to ${shortNumber(most)} ${unit}`;
}
