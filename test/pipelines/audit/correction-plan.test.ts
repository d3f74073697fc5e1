import { expect, it } from "vitest";
import { renderCorrectionPlan } from "../../../pipelines/audit/correction-plan.ts";
import { CorrectedShops, RIGHTED } from "./corrected-shops.ts";

it("a dry run counts the corrections that apply, once the questions are loaded", async () => {
  const shops = await CorrectedShops.make();
  const plan = async (...fixes: Parameters<CorrectedShops["run"]>[0]) =>
    (await shops.run(fixes, { dryRun: true })).corrections;
  expect(await plan(RIGHTED)).toBeNull();
  await shops.run([], { until: "load" });
  const question = {
    sourceId: "0",
    field: "question",
    before: "Which shops have more than 0 people, asked 0?",
    after: "Which shops?",
  } as const;
  const found = await plan(RIGHTED, question);
  expect(found).toEqual({
    applied: 2,
    questions: 2,
    byField: { gold: 1, question: 1, evidence: 0 },
    stale: [],
  });
  expect(await plan()).toBeNull();
  await expect(plan({ ...RIGHTED, before: "SELECT 1" })).rejects.toMatchObject({ code: "CORRECTION_STALE" });
});

it("a plan tells which samples are stale, and leaves the rest of many out", () => {
  const stale = {
    dataset: "spider",
    split: "train",
    sourceId: "3",
    databaseId: "shop",
    exampleId: "e",
    samples: 4,
  };
  const plan = { applied: 3, questions: 2, byField: { gold: 1, question: 2, evidence: 0 } };
  expect(renderCorrectionPlan({ ...plan, stale: [] })).toBe(
    "corrections: 3 apply to 2 questions (1 gold, 2 question)\nsamples that they make stale: none",
  );
  const many = Array.from({ length: 21 }, () => ({ ...stale, because: ["question", "history"] as const }));
  const lines = renderCorrectionPlan({ ...plan, stale: many }).split("\n");
  expect(lines[1]).toBe("samples that they make stale: 84, of 21 questions; only these are sampled again:");
  expect(lines[2]).toBe("  spider train 3 (shop): question, history, 4 samples");
  expect(lines.slice(22)).toEqual(["  and 1 more; --json lists all"]);
});
