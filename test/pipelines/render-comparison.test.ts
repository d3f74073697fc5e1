import { expect, it } from "vitest";
import { PairedScores } from "../../curation/comparison.ts";
import { renderComparison } from "../../pipelines/render-comparison.ts";

it("shows the sentence, the figures and the questions that flipped", () => {
  const paired = new PairedScores("bird-ex");
  for (let index = 0; index < 30; index += 1) {
    paired.add(
      { exampleId: `${index}`, sourceId: `${index}`, databaseId: "ferries" },
      index === 0 ? 1 : 0,
      index === 0 ? 0 : 1,
    );
  }
  paired.add({ exampleId: "x", sourceId: "x", databaseId: "ferries" }, 1, null);
  const text = renderComparison({
    before: "base.sql",
    after: "tuned.sql",
    questions: { both: 31, onlyBefore: 0, onlyAfter: 2 },
    comparisons: [paired.finish(1)],
  });
  const lines = text.split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "before: base.sql",
    "after:  tuned.sql",
    "31 questions (2 asked only after)",
  ]);
  expect(text).toContain("bird-ex: 3.33 before, 96.67 after; both right 0, both wrong 0");
  expect(text).toContain("1 scored only before");
  expect(text).toMatch(/became right: 1 \(ferries\), .*, and 9 more in --json/);
  expect(text).toContain("became wrong: 0 (ferries)");
  expect(text).toContain("exact p 5.77e-8");
});
