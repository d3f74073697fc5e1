import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consensus } from "../../curation/consensus.ts";
import { anyCandidates, candidate, ended, shuffled } from "./vote-cases.ts";

describe("consensus", () => {
  it("takes the first of the largest cluster of results", () => {
    const candidates = ["b", "a", "c", "a"].map((result, index) => candidate(index, ended("ok", result)));
    expect(consensus(candidates)?.sampleIndex).toBe(1);
  });

  it("gives a tie to the cluster seen first", () => {
    const candidates = ["b", "a", "a", "b"].map((result, index) => candidate(index, ended("ok", result)));
    expect(consensus(candidates)?.sampleIndex).toBe(0);
  });

  it("drops errors, empty results and missing answers, however many they are", () => {
    const candidates = [
      candidate(0, null),
      candidate(1, ended("error")),
      candidate(2, ended("empty", "none")),
      candidate(3, ended("empty", "none")),
      candidate(4, ended("timeout")),
      candidate(5, ended("ok", "a")),
    ];
    expect(consensus(candidates)?.sampleIndex).toBe(5);
    expect(consensus(candidates.slice(0, 5))).toBeNull();
    expect(consensus([])).toBeNull();
  });

  it("takes the shorter SQL where the order cannot tell", () => {
    const [long, short] = [
      candidate(0, ended("ok", "a"), "SELECT 1 + 1"),
      candidate(0, ended("ok", "a"), "SELECT 2"),
    ];
    expect(consensus([long, short])?.sql).toBe("SELECT 2");
    expect(consensus([short, long])?.sql).toBe("SELECT 2");
  });

  it("depends on the sample indices alone, not on the order in which candidates arrive", () => {
    const both = anyCandidates.chain((given) => fc.tuple(fc.constant(given), shuffled(given)));
    fc.assert(
      fc.property(both, ([given, other]) => {
        expect(consensus(other)).toEqual(consensus(given));
      }),
    );
  });

  it("speaks for a result that no other outnumbers, by its first member", () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const results = candidates.filter(({ execution }) => execution?.status === "ok");
        const count = (digest: string) =>
          results.filter(({ execution }) => execution?.digest === digest).length;
        const winner = consensus(candidates);
        if (winner === null) {
          expect(results).toEqual([]);
          return;
        }
        const digest = winner.execution?.digest ?? "";
        for (const other of results)
          expect(count(other.execution?.digest ?? "")).toBeLessThanOrEqual(count(digest));
        const most = results.filter(({ execution }) => count(execution?.digest ?? "") === count(digest));
        expect(most[0]).toEqual(winner);
      }),
    );
  });

  it("is not moved by candidates that failed or came back empty", () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const ran = candidates.filter(({ execution }) => execution?.status === "ok");
        expect(consensus(candidates)).toEqual(consensus(ran));
      }),
    );
  });
});
