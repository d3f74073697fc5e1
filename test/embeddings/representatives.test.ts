import { describe, expect, it } from "vitest";
import { representatives } from "../../embeddings/representatives.ts";

function member(
  trajectoryId: string,
  cluster: number,
  distance: number,
  actions = trajectoryId,
  length = 10,
) {
  return { trajectoryId, exampleId: "e", cluster, distance, actions, length };
}

describe("representatives", () => {
  it("are nearest the centres, the shortest among equals", () => {
    const members = [
      member("a", 0, 0.5),
      member("b", 0, 0.1, "b", 20),
      member("c", 0, 0.1, "c", 5),
      member("d", 1, 0.9),
      member("e", 2, 0),
    ];
    expect(representatives(members, 3).map(({ trajectoryId }) => trajectoryId)).toEqual(["c", "d", "e"]);
  });

  it("never repeat actions while others are there, nor after", () => {
    const members = [member("a", 0, 0, "same"), member("b", 1, 0, "same"), member("c", 1, 0.5, "other")];
    expect(representatives(members, 3).map(({ trajectoryId }) => trajectoryId)).toEqual(["b", "c"]);
    expect(representatives([member("a", 0, 0, "same"), member("b", 1, 0, "same")], 3)).toHaveLength(1);
  });

  it("fill up from larger clusters where there are few", () => {
    const members = [member("a", 0, 0), member("b", 0, 0.1), member("c", 0, 0.2), member("d", 1, 0)];
    expect(representatives(members, 3).map(({ trajectoryId }) => trajectoryId)).toEqual(["a", "d", "b"]);
  });
});
