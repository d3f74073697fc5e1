import { describe, expect, it } from "vitest";
import { Example, type ExampleContent, exampleId } from "../../core/example.ts";

const CONTENT: ExampleContent = {
  dataset: { name: "spider", release: "1.0", split: "dev" },
  sourceId: "0",
  databaseId: "concert",
  question: "How many singers?",
  evidence: null,
  history: [],
  dialogue: null,
  gold: ["SELECT count(*) FROM singer"],
  difficulty: null,
  paraphraseOf: null,
  referenceReasoning: null,
};
const TURN: ExampleContent = {
  ...CONTENT,
  dataset: { name: "cosql", release: "1.0", split: "dev" },
  sourceId: "4:1",
  question: "Only French ones?",
  history: [{ question: "How many singers?", gold: "SELECT count(*) FROM singer" }],
  dialogue: { id: "4", turn: 1, turns: 3 },
};

describe("exampleId", () => {
  // sha256 of the canonical JSON, computed outside of this project.
  it("is the same for ever", () => {
    expect(exampleId(CONTENT, 0)).toBe("d4f5b218b46c65edc01e2e3bc5c9cf5f");
    expect(exampleId(TURN, 0)).toBe("1b96bd33e78503e9e9f0cad086da474b");
  });

  it.each<[string, Partial<ExampleContent>]>([
    ["gold", { gold: ["SELECT 1"] }],
    ["difficulty", { difficulty: "hard" }],
    ["release", { dataset: { ...TURN.dataset, release: "2.0" } }],
    ["place in the file", { sourceId: "5:1" }],
    ["gold of an earlier turn", { history: [{ question: "How many singers?", gold: null }] }],
    ["length of the dialogue", { dialogue: { id: "4", turn: 1, turns: 9 } }],
    ["paraphrased question", { paraphraseOf: "Any French?" }],
    ["published reasoning", { referenceReasoning: "Count them." }],
  ])("does not depend on the %s", (_, change) => {
    expect(exampleId({ ...TURN, ...change }, 0)).toBe("1b96bd33e78503e9e9f0cad086da474b");
  });

  it.each<[string, Partial<ExampleContent>]>([
    ["question", { question: "Only French ones" }],
    ["evidence", { evidence: "" }],
    ["history", { history: [] }],
    ["database", { databaseId: "concert_2" }],
    ["dataset", { dataset: { ...TURN.dataset, name: "sparc" } }],
    ["split", { dataset: { ...TURN.dataset, split: "train" } }],
    ["dialogue", { dialogue: { id: "5", turn: 1, turns: 3 } }],
    ["turn", { dialogue: { id: "4", turn: 2, turns: 3 } }],
  ])("depends on the %s", (_, change) => {
    expect(exampleId({ ...TURN, ...change }, 0)).not.toBe("1b96bd33e78503e9e9f0cad086da474b");
  });

  it("tells rows of identical content apart by their number", () => {
    expect(exampleId(TURN, 1)).not.toBe(exampleId(TURN, 0));
  });
});

describe("Example", () => {
  it("refuses an id of another length and a field it does not know", () => {
    const row = { id: "0".repeat(32), ...CONTENT };
    expect(Example.safeParse(row).success).toBe(true);
    expect(Example.safeParse({ ...row, id: "0" }).success).toBe(false);
    expect(Example.safeParse({ ...row, note: "x" }).success).toBe(false);
    expect(Example.safeParse({ ...row, dialogue: { id: "4", turn: -1, turns: 3 } }).success).toBe(false);
  });
});
