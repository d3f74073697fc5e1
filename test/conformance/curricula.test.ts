import { readdirSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Curriculum, CurriculumItem, CurriculumPlace } from "../../core/curriculum.ts";
import { SeededRandom } from "../../core/random.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../curation/curricula");
const curricula = await Promise.all(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".ts"))
    .map(async (name) => {
      const module = (await import(path.join(FOLDER, name))) as { default: Curriculum };
      return { id: path.parse(name).name, curriculum: module.default };
    }),
);

const rates = fc.nat(16).chain((n) => fc.record({ n: fc.constant(n), c: fc.nat(n) }));
const hardness = fc.constantFrom("easy", "medium", "hard", "extra", "simple", "unheard of", null);
const items: fc.Arbitrary<CurriculumItem[]> = fc
  .array(fc.record({ rate: rates, hardness }), { maxLength: 60 })
  .map((rows) =>
    rows.map(({ rate, hardness: level }, position) => ({
      exampleId: `example ${position}`,
      position,
      hardness: level,
      ...rate,
    })),
  );
const cases = fc.record({ items, levels: fc.integer({ min: 1, max: 8 }), seed: fc.nat() });

function order(curriculum: Curriculum, given: readonly CurriculumItem[], levels: number, seed: number) {
  return curriculum.order(
    Object.freeze([...given]),
    levels,
    new SeededRandom(seed, "conformance"),
    curriculum.options.parse({}),
  );
}

function byRank(places: readonly CurriculumPlace[]): CurriculumPlace[] {
  return [...places].sort((left, right) => left.rank - right.rank);
}

it("there are curricula", () => {
  expect(curricula.length).toBeGreaterThan(0);
});

describe.each(curricula)("curriculum $id", ({ id, curriculum }) => {
  it("is a curriculum named by its file", () => {
    expect(curriculum).toMatchObject({ kind: "curriculum", id });
    expect(Number.isInteger(curriculum.version) && curriculum.version > 0).toBe(true);
  });

  it("places every item exactly once, with ranks dense from 0", () => {
    fc.assert(
      fc.property(cases, ({ items: given, levels, seed }) => {
        const places = byRank(order(curriculum, given, levels, seed));
        expect(places.map(({ rank }) => rank)).toEqual(given.map((_, index) => index));
        const ids = places.map(({ exampleId }) => exampleId).sort();
        expect(ids).toEqual(given.map(({ exampleId }) => exampleId).sort());
      }),
    );
  });

  it("never goes back a level; levels without a meaning are contiguous, at most as many as asked for", () => {
    fc.assert(
      fc.property(cases, ({ items: given, levels, seed }) => {
        const found = byRank(order(curriculum, given, levels, seed)).map(({ level }) => level);
        let previous = -1;
        for (const level of found) {
          expect(level).toBeGreaterThanOrEqual(Math.max(0, previous));
          if (curriculum.hasOwnLevels !== true) expect(level - previous).toBeLessThanOrEqual(1);
          previous = level;
        }
        if (curriculum.hasOwnLevels !== true) expect(previous).toBeLessThan(levels);
      }),
    );
  });

  it("gives the same places for the same seed, in whatever order the items come", () => {
    fc.assert(
      fc.property(cases, ({ items: given, levels, seed }) => {
        const places = byRank(order(curriculum, given, levels, seed));
        const shuffled = new SeededRandom(seed, "arrival").shuffle(given);
        expect(byRank(order(curriculum, shuffled, levels, seed))).toEqual(places);
      }),
    );
  });
});
