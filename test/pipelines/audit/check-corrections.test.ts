import path from "node:path";
import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { checkCorrections, renderCorrectionCheck } from "../../../pipelines/audit/check-corrections.ts";
import { createPlugFinder } from "../../../pipelines/plugs.ts";
import { bakeryCorrection } from "../../datasets/correction-fixtures.ts";
import { reviewPlace } from "./review-fixture.ts";

it("counts the corrections that fit a dataset, and refuses one that does not", async () => {
  const { folder, source } = await reviewPlace();
  const loader = await createPlugFinder().find("loader", "spider");
  const file = path.join(folder, "fixes.jsonl");
  const check = async (...fixes: ReturnType<typeof bakeryCorrection>[]) => {
    await writeFile(file, fixes.map((fix) => `${JSON.stringify(fix)}\n`).join(""));
    return checkCorrections(loader, [source], [file]);
  };
  const gold = bakeryCorrection({ dataset: "spider", before: "SELECT count(*) FROM loaf" });
  const question = bakeryCorrection({
    dataset: "spider",
    field: "question",
    before: "How many loaves?",
    after: "How many?",
  });
  const found = await check(gold, question, bakeryCorrection({ dataset: "bird" }));
  expect(found).toEqual({
    applied: 2,
    questions: 1,
    byField: { gold: 1, question: 1, evidence: 0 },
    passedOver: 1,
  });
  expect(renderCorrectionCheck(found)).toBe(
    "corrections: 2 apply to 1 questions (1 gold, 1 question); 1 are of other datasets or splits",
  );
  await expect(check({ ...gold, sourceId: "99" })).rejects.toMatchObject({
    code: "CORRECTION_EXAMPLE_UNKNOWN",
  });
});
