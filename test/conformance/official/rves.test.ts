import path from "node:path";
import { expect, it } from "vitest";
import { rvesReward } from "../../../curation/r-ves.ts";
import { readJsonLines } from "../../../io/jsonl.ts";
import { describeWithShared } from "../../shared-folder.ts";

interface Vector {
  readonly gold_times: readonly number[];
  readonly pred_times: readonly number[];
  readonly sets_equal: boolean;
  readonly reward: number;
}

describeWithShared("rvesReward against the official BIRD evaluator", (shared) => {
  it("agrees on every line", async () => {
    const vectors: Vector[] = [];
    for await (const { value } of readJsonLines(path.join(shared, "vectors/rves.jsonl"))) {
      vectors.push(value as Vector);
    }
    expect(vectors).toHaveLength(63);
    const rewards = vectors.map((vector) =>
      rvesReward(vector.gold_times, vector.pred_times, vector.sets_equal),
    );
    expect(rewards).toEqual(vectors.map((vector) => vector.reward));
  });
});
