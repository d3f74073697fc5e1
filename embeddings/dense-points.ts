import type { Vector } from "../core/embedder.ts";
import { GradusError } from "../core/errors.ts";

/**
 * Vectors as dense points over the dimensions that any of them uses, so that a few sparse ones of a large space
 * stay small. @throws EMBEDDING_INVALID for vectors of different dimensions or with values that are no numbers.
 */
export function densePoints(vectors: readonly Vector[]): number[][] {
  const dimensions = vectors[0]?.dimensions ?? 0;
  const used = new Set<number>();
  for (const { dimensions: own, indices, values } of vectors) {
    const length = indices === null ? own : indices.length;
    if (own !== dimensions || values.length !== length || !values.every((value) => Number.isFinite(value))) {
      throw new GradusError(
        "EMBEDDING_INVALID",
        `got a vector of ${own} dimensions with ${values.length} values, expected finite values in ${dimensions} dimensions`,
        { hint: "remove the cache of embeddings and embed again; vectors of one set come from one model" },
      );
    }
    if (indices === null) for (let place = 0; place < own; place += 1) used.add(place);
    else for (const index of indices) used.add(index);
  }
  const places = new Map([...used].sort((left, right) => left - right).map((index, place) => [index, place]));
  return vectors.map(({ indices, values }) => {
    const point = Array.from({ length: places.size }, () => 0);
    for (const [place, value] of values.entries()) {
      point[places.get(indices === null ? place : (indices[place] ?? 0)) ?? 0] = value;
    }
    return point;
  });
}
