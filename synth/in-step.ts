import { GradusError } from "../core/errors.ts";
import type { Example } from "../core/example.ts";
import type { GoldRow } from "../core/rows.ts";

/**
 * Examples with their gold rows, which come in the same order, one each.
 * @throws STAGE_ORDER_BROKEN when they do not.
 */
export async function* inStep(
  examples: AsyncIterable<Example>,
  golds: AsyncIterable<GoldRow>,
): AsyncGenerator<{ readonly example: Example; readonly gold: GoldRow }> {
  const rest = golds[Symbol.asyncIterator]();
  try {
    for await (const example of examples) {
      const next = await rest.next();
      const got = next.done === true ? "none" : next.value.exampleId;
      if (next.done === true || got !== example.id) {
        throw new GradusError(
          "STAGE_ORDER_BROKEN",
          `golds are not in the order of the examples: got ${got}, expected ${example.id}`,
          { site: { stage: "sample", rowId: example.id }, hint: "this is a defect: please report it" },
        );
      }
      yield { example, gold: next.value };
    }
  } finally {
    await rest.return?.();
  }
}
