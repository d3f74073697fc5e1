import { stringify } from "yaml";
import type { CardFacts } from "./dataset-card.ts";

/**
 * The `recipe.lock.yaml` of a shard folder: the config that made the rows, the exporter with its options, what it
 * loses, where the prompts come from, and every shard file by its digest. A function of its facts alone.
 */
export function recipeLock(facts: CardFacts): string {
  const { exporter, form, files, splits, sources, funnel, prompts } = facts;
  return stringify(
    {
      gradus: 1,
      name: facts.datasetName,
      exporter: { id: exporter.id, version: exporter.version, options: facts.exporterOptions },
      license: facts.license,
      sources,
      rows: splits,
      prompts: exporter.set === "sft" ? null : prompts,
      funnel,
      lossy: form.lossy,
      files: files.map(({ path, rows, bytes, sha256 }) => ({ path, rows, bytes, sha256 })),
      recipe: facts.recipe,
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}
