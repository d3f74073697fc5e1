import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { majorityVote } from "../../curation/majority-vote.ts";
import { anyCandidates, candidate, ended, shuffled } from "./vote-cases.ts";

describe("majorityVote", () => {
  it("takes the first of the largest cluster, empty results voting too", () => {
    const none = ended("empty", "none");
    const candidates = [candidate(0, ended("ok", "a")), candidate(1, none), candidate(2, none)];
    expect(majorityVote(candidates)?.sampleIndex).toBe(1);
  });

  it("gives a tie to the cluster seen first", () => {
    const candidates = ["b", "a", "a", "b"].map((result, index) => candidate(index, ended("ok", result)));
    expect(majorityVote(candidates)?.sampleIndex).toBe(0);
  });

  it("keeps the first candidate where none has a result, and has none of nothing", () => {
    expect(majorityVote([candidate(4, ended("error")), candidate(2, ended("timeout"))])?.sampleIndex).toBe(2);
    expect(majorityVote([candidate(1, null), candidate(0, null)])?.sampleIndex).toBe(0);
    expect(majorityVote([])).toBeNull();
  });

  it("is that candidate of one", () => {
    for (const status of ["ok", "empty", "error"] as const) {
      const only = candidate(0, ended(status, "a"));
      expect(majorityVote([only])).toEqual(only);
    }
  });

  it("depends on the sample indices alone, not on the order in which candidates arrive", () => {
    const both = anyCandidates.chain((given) => fc.tuple(fc.constant(given), shuffled(given)));
    fc.assert(
      fc.property(both, ([given, other]) => {
        expect(majorityVote(other)).toEqual(majorityVote(given));
      }),
    );
  });

  it("always has an answer of some, and one of most votes where any has a result", () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const winner = majorityVote(candidates);
        if (candidates.length === 0) {
          expect(winner).toBeNull();
          return;
        }
        const voters = candidates.filter(
          ({ execution }) => execution !== null && ["ok", "empty"].includes(execution.status),
        );
        const count = (digest: string) =>
          voters.filter(({ execution }) => execution?.digest === digest).length;
        const expected = voters.length === 0 ? candidates[0] : undefined;
        if (expected !== undefined) {
          expect(winner).toEqual(expected);
          return;
        }
        const most = Math.max(...voters.map(({ execution }) => count(execution?.digest ?? "")));
        expect(winner).toEqual(voters.find(({ execution }) => count(execution?.digest ?? "") === most));
      }),
    );
  });
});
