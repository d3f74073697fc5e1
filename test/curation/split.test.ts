import { describe, expect, it } from "vitest";
import { splitStage } from "../../curation/split.ts";
import { runStage } from "../fakes/run-stage.ts";
import { kept } from "./sample-rows.ts";

/** Examples of databases with the given numbers of examples, interleaved. */
function keptOf(counts: Readonly<Record<string, number>>) {
  const names = Object.entries(counts).flatMap(([databaseId, count]) =>
    Array.from({ length: count }, (_, index) => ({ databaseId, index })),
  );
  names.sort((left, right) => left.index - right.index);
  return names.map(({ databaseId, index }, position) =>
    kept(`${databaseId}.${index}`, position, { databaseId }),
  );
}

async function splitOf(
  counts: Readonly<Record<string, number>>,
  validationFraction: number,
  around: { seed?: number; warnings?: string[] } = {},
) {
  const { examples } = await runStage(splitStage, { kept: keptOf(counts) }, { validationFraction }, around);
  const sides = new Map<string, Set<string>>();
  for (const { databaseId, split } of examples) {
    sides.set(databaseId, (sides.get(databaseId) ?? new Set()).add(split));
  }
  const validation = examples.filter(({ split }) => split === "validation");
  return { examples, sides, validation: validation.length };
}

const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d${index}`, 5 + (index % 4)]));

async function chosen(seed: number): Promise<string[]> {
  const { sides } = await splitOf(twenty, 0.2, { seed });
  return [...sides].filter(([, side]) => side.has("validation")).map(([databaseId]) => databaseId);
}

describe("splitStage", () => {
  it("takes named databases whatever their share, and tells of those that are not there", async () => {
    const warnings: string[] = [];
    const options = { databases: ["big", "gone"] };
    const { examples } = await runStage(splitStage, { kept: keptOf({ big: 9, small: 1 }) }, options, {
      warnings,
    });
    expect(examples.map(({ databaseId, split }) => `${databaseId} ${split}`).sort()).toEqual([
      ...Array.from({ length: 9 }, () => "big validation"),
      "small train",
    ]);
    expect(warnings).toEqual(["no kept example is of gone, named for the validation split"]);
  });

  it("never parts a database, keeps rows and their order, and comes near the fraction", async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { examples, sides, validation } = await splitOf(twenty, 0.1, { seed });
      expect([...sides.values()].map((side) => side.size)).toEqual(Array.from({ length: 20 }, () => 1));
      expect(examples.map(({ split: _split, ...rest }) => rest)).toEqual(keptOf(twenty));
      // 130 examples, databases of 5 to 8: a tenth is 13
      expect(validation).toBeGreaterThanOrEqual(10);
      expect(validation).toBeLessThanOrEqual(16);
    }
  });

  it("is the same for the same seed and another for another", async () => {
    expect(await chosen(7)).toEqual(await chosen(7));
    const choices = await Promise.all([1, 2, 3, 4].map(chosen));
    expect(new Set(choices.map((choice) => choice.join())).size).toBeGreaterThan(1);
  });

  it("puts a single database into train and says so", async () => {
    const warnings: string[] = [];
    expect((await splitOf({ ferries: 10 }, 0.1, { warnings })).validation).toBe(0);
    expect(warnings).toEqual([expect.stringContaining("ferries")]);
  });

  it("takes the smallest database when all are too large, and says so", async () => {
    const warnings: string[] = [];
    const { sides, validation } = await splitOf({ a: 40, b: 30, c: 50 }, 0.1, { warnings });
    expect(validation).toBe(30);
    expect(sides.get("b")).toEqual(new Set(["validation"]));
    expect(warnings).toEqual([expect.stringContaining("25%")]);
  });

  it("never takes more than twice the fraction when a database fits", async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { validation } = await splitOf({ huge: 900, a: 30, b: 30, c: 40 }, 0.05, { seed });
      expect(validation).toBeGreaterThanOrEqual(30);
      expect(validation).toBeLessThanOrEqual(100);
    }
  });

  it("leaves something to train on whatever the fraction", async () => {
    const { validation } = await splitOf({ a: 10, b: 10 }, 0.95);
    expect(validation).toBe(10);
  });

  it("does without validation when none is wanted, and without examples", async () => {
    const warnings: string[] = [];
    expect((await splitOf(twenty, 0, { warnings })).validation).toBe(0);
    expect((await splitOf({}, 0.1, { warnings })).examples).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
