import { expect, it } from "vitest";
import { readOpinion } from "../../synth/annotation-opinion.ts";

it.each([
  ['{"verdict": "wrong", "reason": "It counts all."}', { verdict: "wrong", reason: "It counts all." }],
  [
    '<think>{"verdict": "right"}</think>\n```json\n{"verdict": "ambiguous"}\n```',
    { verdict: "ambiguous", reason: "" },
  ],
  ["I say {so} {'verdict': 'right', 'reason': 'Two\\nlines'}", { verdict: "right", reason: "Two\\nlines" }],
  ['{"verdict": "perhaps"}', null],
  ["It is right.", null],
])("%s", (reply, opinion) => {
  expect(readOpinion(reply)).toEqual(opinion);
});
