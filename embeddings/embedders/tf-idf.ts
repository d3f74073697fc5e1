import { z } from "zod";
import { defineEmbedder, type Vector } from "../../core/embedder.ts";
import { textFeatures } from "../text-features.ts";

const TfIdfOptions = z.strictObject({
  /** Whether features that every text of the set has weigh nothing (1 is added to the weight otherwise). */
  smooth: z.boolean().default(false),
});

/**
 * Term frequency by inverse document frequency, over the texts of one set: what all rollouts of a question share
 * tells nothing of them, what few have tells them apart. Logarithmic counts, vectors of length 1; the dimensions are
 * the features of the set by code unit, so that the order of the texts changes nothing. No network, no weights.
 */
export default defineEmbedder({
  id: "tf-idf",
  version: 1,
  options: TfIdfOptions,
  open: (options) =>
    Promise.resolve({
      embed: (texts: readonly string[]) => Promise.resolve(tfIdf(texts, options)),
      close: () => Promise.resolve(),
    }),
});

function tfIdf(texts: readonly string[], { smooth }: z.infer<typeof TfIdfOptions>): Vector[] {
  const counts = texts.map((text) => {
    const found = new Map<string, number>();
    for (const feature of textFeatures(text)) found.set(feature, (found.get(feature) ?? 0) + 1);
    return found;
  });
  const documents = new Map<string, number>();
  for (const found of counts) {
    for (const feature of found.keys()) documents.set(feature, (documents.get(feature) ?? 0) + 1);
  }
  const features = [...documents.keys()].sort();
  const places = new Map(features.map((feature, place) => [feature, place]));
  const floor = smooth ? 1 : 0;
  return counts.map((found) => {
    const cells = [...found].map(([feature, count]) => {
      const rarity = Math.log(texts.length / (documents.get(feature) ?? 1)) + floor;
      return { index: places.get(feature) ?? 0, value: (1 + Math.log(count)) * rarity };
    });
    return unitVector(features.length, cells);
  });
}

/** A sparse vector of length 1, or of zeros alone, its values rounded so that every machine writes the same. */
function unitVector(
  dimensions: number,
  cells: readonly { readonly index: number; readonly value: number }[],
): Vector {
  const kept = cells.filter(({ value }) => value > 0).sort((left, right) => left.index - right.index);
  const length = Math.sqrt(kept.reduce((sum, { value }) => sum + value * value, 0));
  const values = kept.map(({ value }) => Math.round((value / length) * 1e6) / 1e6);
  return { dimensions, indices: kept.map(({ index }) => index), values };
}
