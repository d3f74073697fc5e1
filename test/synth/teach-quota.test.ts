import { expect, it } from "vitest";
import { fillQuota, quotaStage } from "../../synth/teach-quota.ts";
import { idOf, split } from "../curation/sample-rows.ts";
import { runStage } from "../fakes/run-stage.ts";

const weights = { easy: 1, medium: 2, hard: 3 };

it("a quota favours by weight, and what one cannot fill goes to the others", () => {
  const hardness = new Map(
    ["easy", "medium", "hard"].flatMap((level) =>
      Array.from({ length: 20 }, (_, index) => [`${level}${index}`, level] as const),
    ),
  );
  const count = (ids: ReadonlySet<string>, level: string) =>
    [...ids].filter((id) => id.startsWith(level)).length;
  const options = { sampled: null, kept: 12, weights };
  const chosen = fillQuota([...hardness.keys()], { hardness, options, seed: 1 });
  expect(["easy", "medium", "hard"].map((level) => count(chosen, level))).toEqual([2, 4, 6]);
  const most = fillQuota([...hardness.keys()], { hardness, options: { ...options, kept: 50 }, seed: 1 });
  expect([most.size, count(most, "hard")]).toEqual([50, 20]);
});

it("the others are passed over", async () => {
  const names = ["a", "b", "c"];
  const candidates = names.map((name) => ({
    trajectoryId: name,
    exampleId: idOf(name),
    split: "train" as const,
    class: "hard" as const,
    fallback: false,
    interactions: 2,
    limit: 3,
  }));
  const kept = names.map((name, place) => split(name, place));
  const out = await runStage(
    quotaStage,
    { kept, candidates, passedOver: [] },
    { kept: 1, sampled: 2, weights },
  );
  expect(out.candidates).toHaveLength(1);
  expect(out.passedOver.map(({ reason }) => reason).sort()).toEqual(["not_sampled", "over_quota"]);
});
