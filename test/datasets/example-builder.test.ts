import { describe, expect, it } from "vitest";
import { type ExampleContent, exampleId } from "../../core/example.ts";
import { ExampleBuilder } from "../../datasets/example-builder.ts";

function content(question: string, gold: string): ExampleContent {
  return {
    dataset: { name: "spider", release: "1.0", split: "dev" },
    sourceId: "0",
    databaseId: "bakery",
    question,
    evidence: null,
    history: [],
    dialogue: null,
    gold: [gold],
    difficulty: null,
    paraphraseOf: null,
    referenceReasoning: null,
  };
}

describe("ExampleBuilder", () => {
  it("numbers rows of the same visible content, whatever lies between them", () => {
    const builder = new ExampleBuilder();
    const ids = [content("a", "1"), content("b", "1"), content("a", "2"), content("a", "1")].map(
      (one) => builder.build(one).id,
    );
    expect(ids).toEqual([
      exampleId(content("a", ""), 0),
      exampleId(content("b", ""), 0),
      exampleId(content("a", ""), 1),
      exampleId(content("a", ""), 2),
    ]);
  });

  it("freezes all the way down", () => {
    const example = new ExampleBuilder().build(content("a", "1"));
    expect(Object.isFrozen(example.dataset)).toBe(true);
    expect(Object.isFrozen(example.history)).toBe(true);
  });
});
