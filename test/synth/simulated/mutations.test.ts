import { assert, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../core/random.ts";
import { mutate, mutateAs, MUTATION_KINDS } from "../../../synth/simulated/mutations.ts";
import { FERRIES } from "../synth-rows.ts";

const RICH =
  "SELECT DISTINCT T1.name, max(T2.passengers) FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id WHERE T2.island = 'Skye' AND T1.seats > 20 GROUP BY T1.name ORDER BY T1.name DESC LIMIT 3";

describe("mutateAs", () => {
  it.each(MUTATION_KINDS)("makes the mistake %s in a query that has everything", (kind) => {
    const mutated = mutateAs(kind, RICH, FERRIES.schema, new SeededRandom(1, "test"));
    expect(mutated).toBeDefined();
    expect(mutated).not.toBe(RICH);
  });

  it("finds no place for most kinds in a small query", () => {
    const fitting = MUTATION_KINDS.filter((kind) =>
      [1, 2, 3].some((seed) => mutateAs(kind, "SELECT 'a'", FERRIES.schema, new SeededRandom(seed, "test"))),
    );
    expect(fitting).toEqual(["syntax_error"]);
  });
});

describe("mutate", () => {
  it("is a function of query, schema and random numbers", () => {
    const [first, second] = [1, 2].map(() => mutate(RICH, FERRIES.schema, new SeededRandom(5, "test", "e")));
    expect(first).toEqual(second);
  });

  it("makes many kinds of mistakes", () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 300; seed += 1)
      kinds.add(mutate(RICH, FERRIES.schema, new SeededRandom(seed, "t")).kind);
    expect([...kinds].sort()).toEqual([...MUTATION_KINDS].sort());
  });

  it("leaves a kind out", () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const { kind } = mutate(RICH, FERRIES.schema, new SeededRandom(seed, "t"), "wrong_column");
      expect(kind).not.toBe("wrong_column");
    }
  });

  it("always changes the query, whatever its text", () => {
    assert(
      property(string({ unit: "binary", maxLength: 60 }), integer({ min: 0, max: 1000 }), (sql, seed) => {
        const { sql: mutated } = mutate(sql, FERRIES.schema, new SeededRandom(seed, "test"));
        expect(mutated).not.toBe(sql);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
