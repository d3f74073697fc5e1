import { type Example, type ExampleContent, exampleId } from "../core/example.ts";
import { deepFreeze } from "../core/key.ts";

/** Makes the examples of one load: numbers rows of identical content and freezes what it returns. */
export class ExampleBuilder {
  readonly #occurrences = new Map<string, number>();

  /** The example with its identity; call it once a row, in file order. */
  build(content: ExampleContent): Example {
    const first = exampleId(content, 0);
    const occurrence = this.#occurrences.get(first) ?? 0;
    this.#occurrences.set(first, occurrence + 1);
    return deepFreeze({ id: occurrence === 0 ? first : exampleId(content, occurrence), ...content });
  }
}
