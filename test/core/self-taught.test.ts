import { expect, it } from "vitest";
import { ClusteredTrajectory, EmbeddedTrajectory } from "../../core/self-taught.ts";

it("a clustered trajectory has its cluster in place of its vector", () => {
  const row = { trajectoryId: "t", exampleId: "e", actions: "a", length: 1 };
  expect(EmbeddedTrajectory.safeParse({ ...row, vector: null }).success).toBe(true);
  expect(ClusteredTrajectory.safeParse({ ...row, cluster: 0, distance: 0 }).success).toBe(true);
  expect(ClusteredTrajectory.safeParse({ ...row, vector: null, cluster: 0, distance: 0 }).success).toBe(
    false,
  );
});
