import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NumberPlaces } from "../../curation/number-places.ts";

describe("NumberPlaces", () => {
  it("gives places in the order in which numbers first come", () => {
    const places = new NumberPlaces();
    expect(
      [0.5, 2 ** 40, 0.5, -0, 0, Number.POSITIVE_INFINITY].map((value) => places.placeOf(value)),
    ).toEqual([0, 1, 0, 2, 2, 3]);
    expect(places.size).toBe(4);
    expect(places.find(2 ** 40)).toBe(1);
    expect(places.find(2 ** 41)).toBe(-1);
  });

  it("does as a map does, however many there are", () => {
    const value = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.integer({ min: 0, max: 50 }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 500 }), fc.array(value), (values, others) => {
        const places = new NumberPlaces();
        const known = new Map<number, number>();
        for (const one of values) {
          if (!known.has(one)) known.set(one, known.size);
          expect(places.placeOf(one)).toBe(known.get(one));
        }
        expect(places.size).toBe(known.size);
        for (const one of [...values, ...others]) expect(places.find(one)).toBe(known.get(one) ?? -1);
      }),
    );
  });
});
