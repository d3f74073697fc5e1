import type { Correction } from "../../core/correction.ts";
import { type Example, exampleId } from "../../core/example.ts";
import type { PlacedCorrection } from "../../datasets/read-corrections.ts";

/** A question of a bakery. */
export function bakeryExample(changes: Partial<Omit<Example, "id">> = {}): Example {
  const content = {
    dataset: { name: "bakers", release: "1", split: "dev" },
    sourceId: "0",
    databaseId: "bakery",
    question: "How many loaves?",
    evidence: null,
    history: [],
    dialogue: null,
    gold: ["SELECT count(*) FROM loaf"],
    difficulty: null,
    paraphraseOf: null,
    referenceReasoning: null,
    ...changes,
  };
  return { id: exampleId(content, 0), ...content };
}

/** A correction of question 0 of the bakery, in a line of `fixes.jsonl`. */
export function placed(changes: Partial<Correction>, line = 1, file = "fixes.jsonl"): PlacedCorrection {
  return { correction: bakeryCorrection(changes), file, line };
}

export function bakeryCorrection(changes: Partial<Correction> = {}): Correction {
  return {
    dataset: "bakers",
    split: "dev",
    sourceId: "0",
    field: "gold",
    before: "SELECT count(*) FROM loaf",
    after: "SELECT count(DISTINCT name) FROM loaf",
    kind: "distinct",
    reason: "two loaves share a name",
    author: "ann",
    time: "2026-01-31T12:00:00Z",
    ...changes,
  };
}

/** Items as a stream. */
export async function* stream<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** A stream as a list. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
