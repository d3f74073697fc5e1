import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { PassRate, SampleGroup, ScoredSample, type StopRule } from "../core/rows.ts";
import { defineStage } from "../core/stage.ts";
import type { Verdict } from "../core/verdict.ts";
import { compareText } from "./compare-text.ts";
import { mergeByExample } from "./merge-by-example.ts";

/**
 * Counts samples per example, model and setting: n scored, c of them with score 1, the rest by reason. With metrics
 * in `also` a sample is scored when all of them are, and right when all are 1. A group that ended early carries its stop rule. Rows are in the order of the examples, then by model name, revision and setting; an example
 * without samples has no row.
 */
export const passRatesStage = defineStage({
  name: "pass-rates",
  version: 1,
  inputs: { examples: Example, samples: ScoredSample, groups: SampleGroup },
  outputs: { rates: PassRate },
  options: z.strictObject({
    metric: z.string().default("bird-ex"),
    also: z.array(z.string()).default([]),
  }),
  async *run({ inputs, options, context }) {
    const { samples, groups } = inputs;
    const merged = mergeByExample(inputs.examples, (example) => example.id, { samples, groups });
    for await (const { rows, position, total } of merged) {
      for (const row of ratesOf(rows.samples, rows.groups, [options.metric, ...options.also]))
        yield { port: "rates", row } as const;
      context.progress(position + 1, total);
    }
  },
});

function ratesOf(
  samples: readonly ScoredSample[],
  groups: readonly SampleGroup[],
  metrics: readonly string[],
): PassRate[] {
  const stopRules = new Map(groups.map((group) => [keyOfCell(group), group.stopRule]));
  const rates = new Map<string, PassRate>();
  for (const sample of samples) {
    const key = keyOfCell(sample);
    const rate = rates.get(key) ?? emptyRate(sample, metrics.join(" + "), stopRules.get(key) ?? "complete");
    rates.set(key, rate);
    const verdict = jointVerdict(metrics.map((metric) => verdictOf(sample, metric)));
    if (verdict.status === "unscored") {
      rate.unscored[verdict.reason] = (rate.unscored[verdict.reason] ?? 0) + 1;
    } else {
      rate.n += 1;
      if (verdict.score === 1) rate.c += 1;
    }
    rate.simulated ||= sample.simulated;
  }
  return [...rates.values()].sort(byModelAndSetting);
}

/** The lowest score, and no score where one has none. */
function jointVerdict(verdicts: readonly Verdict[]): Verdict {
  const [first, ...others] = verdicts as [Verdict, ...Verdict[]];
  return others.reduce((lowest, verdict) => {
    if (lowest.status === "unscored") return lowest;
    return verdict.status === "unscored" || verdict.score < lowest.score ? verdict : lowest;
  }, first);
}

function keyOfCell({ model, setting }: Pick<ScoredSample, "model" | "setting">): string {
  return JSON.stringify([model.name, model.revision, setting]);
}

function emptyRate(sample: ScoredSample, metric: string, stopRule: StopRule): PassRate {
  const { exampleId, model, setting } = sample;
  return {
    exampleId,
    model,
    setting,
    metric,
    n: 0,
    c: 0,
    unscored: {},
    stopRule,
    simulated: false,
  };
}

function byModelAndSetting(left: PassRate, right: PassRate): number {
  return (
    compareText(left.model.name, right.model.name) ||
    compareText(left.model.revision, right.model.revision) ||
    compareText(left.setting, right.setting)
  );
}

/**
 * A sample's verdict by a metric.
 * @throws METRIC_NOT_SCORED when the score step was not asked for that metric.
 */
export function verdictOf(sample: ScoredSample, metric: string): Verdict {
  const verdict = sample.verdicts[metric];
  if (verdict !== undefined) return verdict;
  throw new GradusError(
    "METRIC_NOT_SCORED",
    `sample ${sample.trajectoryId} has no verdict of "${metric}", it has: ${Object.keys(sample.verdicts).sort().join(", ")}`,
    {
      site: { rowId: sample.trajectoryId },
      hint: `add "${metric}" to the metrics of the score step, or name one of those it has`,
    },
  );
}
