import { canonicalJson } from "../core/key.ts";
import type { RunConfig } from "./config.ts";

/**
 * What decides where a question stands and is not the same in two recipes, in words: datasets, filter, curriculum,
 * validation, seed. Whom they sampled is no difference of this kind: it is what rounds change.
 */
export function recipeDifferences(before: RunConfig, after: RunConfig): string[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  return Object.keys(old)
    .filter((name) => canonicalJson(old[name]) !== canonicalJson(now[name]))
    .map((name) => `${name} differs: ${canonicalJson(old[name])}, now ${canonicalJson(now[name])}`);
}

function partsOf({
  datasets,
  filter,
  deduplicate,
  curriculum,
  validation,
  seed,
}: RunConfig): Readonly<Record<string, unknown>> {
  const named = datasets.map(({ loader, split, release, limit }) => ({ loader, split, release, limit }));
  return { datasets: named, filter, deduplicate, curriculum, validation, seed };
}
