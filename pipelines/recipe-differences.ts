import { canonicalJson } from "../core/key.ts";
import type { RunConfig } from "./config.ts";

/**
 * What decides where a question stands and is not the same in two recipes, in words: datasets, filter, curriculum,
 * validation, seed. Whom they sampled is no difference of this kind: it is what rounds change.
 */
export function recipeDifferences(before: RunConfig, after: RunConfig): string[] {
  const parts = (config: RunConfig): Readonly<Record<string, unknown>> => ({
    datasets: config.datasets.map(({ loader, split, release, limit }) => ({ loader, split, release, limit })),
    filter: config.filter,
    curriculum: config.curriculum,
    validation: config.validation,
    seed: config.seed,
  });
  const [old, now] = [parts(before), parts(after)];
  return Object.keys(old)
    .filter((name) => canonicalJson(old[name]) !== canonicalJson(now[name]))
    .map((name) => `${name} differs: ${canonicalJson(old[name])}, now ${canonicalJson(now[name])}`);
}
