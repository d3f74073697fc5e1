import { describe, expect, it } from "vitest";
import { hardnessByLength, successProbability } from "../../../synth/simulated/policy.ts";

const IDS = Array.from({ length: 4000 }, (_, index) => `example-${index}`);

describe("successProbability", () => {
  it("makes a quarter always right, a quarter never, at a competence of one half", () => {
    const chances = IDS.map((id) => successProbability(1, id, "medium", 0.5));
    const share = (test: (chance: number) => boolean): number => chances.filter(test).length / chances.length;
    expect(share((chance) => chance === 1)).toBeCloseTo(0.25, 1);
    expect(share((chance) => chance === 0)).toBeCloseTo(0.25, 1);
    expect(chances.reduce((sum, chance) => sum + chance, 0) / chances.length).toBeCloseTo(0.5, 1);
    for (const chance of chances.filter((one) => one > 0 && one < 1)) {
      expect(chance).toBeGreaterThanOrEqual(0.1);
      expect(chance).toBeLessThanOrEqual(0.9);
    }
  });

  it("is certain at the ends", () => {
    for (const id of IDS.slice(0, 50)) {
      expect(successProbability(1, id, "extra", 1)).toBe(1);
      expect(successProbability(1, id, "easy", 0)).toBe(0);
    }
  });

  it("never falls with competence, never rises with hardness", () => {
    for (const id of IDS.slice(0, 500)) {
      const byCompetence = [0, 0.2, 0.4, 0.6, 0.8, 1].map((one) => successProbability(3, id, "hard", one));
      expect(byCompetence).toEqual([...byCompetence].sort((left, right) => left - right));
      const byHardness = (["extra", "hard", "medium", "easy"] as const).map((one) =>
        successProbability(3, id, one, 0.6),
      );
      expect(byHardness).toEqual([...byHardness].sort((left, right) => left - right));
    }
  });
});

describe("hardnessByLength", () => {
  it("grows with the number of tokens", () => {
    expect([1, 12, 13, 30, 31, 55, 56].map(hardnessByLength)).toEqual([
      "easy",
      "easy",
      "medium",
      "medium",
      "hard",
      "hard",
      "extra",
    ]);
  });
});
