import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EarlyStop, type SampleSays, settledAfter } from "../../synth/stop-early.ts";

const LETTERS: Readonly<Record<string, SampleSays>> = { R: "right", W: "wrong", "-": "nothing" };
const saysArbitrary = fc.array(fc.constantFrom<SampleSays>("right", "wrong", "nothing"), { maxLength: 12 });
const ruleArbitrary = fc.constantFrom<EarlyStop>("first_right", "first_wrong", "mixed");

function says(letters: string): SampleSays[] {
  return letters.split("").map((letter) => LETTERS[letter] as SampleSays);
}

it.each<[EarlyStop, string, number | undefined]>([
  ["first_right", "", undefined],
  ["first_right", "R", 1],
  ["first_right", "WW-R", 4],
  ["first_right", "WW-", undefined],
  ["first_wrong", "W", 1],
  ["first_wrong", "RR-W", 4],
  ["first_wrong", "R--", undefined],
  ["mixed", "RW", 2],
  ["mixed", "WWWR", 4],
  ["mixed", "R-W", 3],
  ["mixed", "RRRR", undefined],
  ["mixed", "----", undefined],
])("%s in %j is settled after %s", (rule, letters, length) => {
  expect(settledAfter(says(letters), rule)).toBe(length);
});

/** Whether samples answer the rule's question for good, said by what is among them. */
function settles(samples: readonly SampleSays[], rule: EarlyStop): boolean {
  const asked: readonly SampleSays[] =
    rule === "mixed" ? ["right", "wrong"] : [rule === "first_right" ? "right" : "wrong"];
  return asked.every((said) => samples.includes(said));
}

describe("whatever the samples say", () => {
  it("the first prefix that settles is found", () => {
    fc.assert(
      fc.property(saysArbitrary, ruleArbitrary, (samples, rule) => {
        const lengths = samples.map((_, index) => index + 1);
        const expected = lengths.find((length) => settles(samples.slice(0, length), rule));
        expect(settledAfter(samples, rule)).toBe(expected);
      }),
    );
  });

  it("more samples never change it", () => {
    fc.assert(
      fc.property(saysArbitrary, saysArbitrary, ruleArbitrary, (samples, more, rule) => {
        const length = settledAfter(samples, rule);
        fc.pre(length !== undefined);
        expect(settledAfter([...samples, ...more], rule)).toBe(length);
      }),
    );
  });
});
