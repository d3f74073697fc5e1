import { expect, it } from "vitest";
import { largestCluster, resultClusters } from "../../curation/result-clusters.ts";
import { candidate, ended } from "./vote-cases.ts";

const candidates = [
  candidate(3, ended("ok", "a")),
  candidate(0, ended("error")),
  candidate(1, ended("ok", "b")),
  candidate(2, ended("empty", "none")),
  candidate(4, null),
  candidate(5, ended("ok", "a")),
];

const placesOf = (keepsEmpty: boolean) =>
  resultClusters(candidates, { keepsEmpty }).map(({ members }) =>
    members.map(({ sampleIndex }) => sampleIndex),
  );

it("puts equal results together, by the order of the samples", () => {
  expect(placesOf(false)).toEqual([[1], [3, 5]]);
  expect(placesOf(true)).toEqual([[1], [2], [3, 5]]);
});

it("tells results of another width apart", () => {
  const wide = { ...ended("ok", "a"), columns: 2 };
  expect(
    resultClusters([candidate(0, wide), candidate(1, ended("ok", "a"))], { keepsEmpty: true }),
  ).toHaveLength(2);
});

it("takes the first of the largest clusters", () => {
  const clusters = resultClusters([...candidates, candidate(6, ended("ok", "b"))], { keepsEmpty: true });
  expect(largestCluster(clusters)?.members[0]?.sampleIndex).toBe(1);
  expect(largestCluster([])).toBeUndefined();
});
