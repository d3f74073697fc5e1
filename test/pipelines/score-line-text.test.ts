import { expect, it } from "vitest";
import { scoreLineText } from "../../pipelines/score-line-text.ts";

const added = { verdicts: { rex: 1 }, executions: undefined };

it.each([
  [
    '{"id": 90071992547409931, "x": 1.0, "y":"\\ud800"}',
    '{"id": 90071992547409931, "x": 1.0, "y":"\\ud800","verdicts":{"rex":1}}',
  ],
  [' {"__proto__": 1 } \t', '{"__proto__": 1,"verdicts":{"rex":1}}'],
  ["{ }", '{"verdicts":{"rex":1}}'],
  ['{"verdicts": 3, "a": 1, "executions": {}}', '{"a":1,"verdicts":{"rex":1}}'],
  ['{"executions": {}}', '{"verdicts":{"rex":1}}'],
])("adds its fields to %s", (text, expected) => {
  expect(scoreLineText(text, JSON.parse(text) as Record<string, unknown>, added)).toBe(expected);
});

it("adds both fields", () => {
  expect(scoreLineText('{"a":1}', { a: 1 }, { verdicts: {}, executions: { gold: 1 } })).toBe(
    '{"a":1,"verdicts":{},"executions":{"gold":1}}',
  );
});
