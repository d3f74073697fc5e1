import { expect, it } from "vitest";
import { defineMetric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { checkGoldScoresStage } from "../../curation/check-gold-scores.ts";
import { executed, FakeJudge } from "../fakes/judge.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { database, example, idOf } from "./sample-rows.ts";

const metric = defineMetric({
  id: "same",
  version: 1,
  needs: { rows: false },
  deviations: [],
  judge: () => scored(1),
});

it("names the golds that do not match themselves, that do not run, and that are empty", async () => {
  const judge = new FakeJudge({
    golds: {
      good: executed("ok"),
      random: executed("ok"),
      broken: executed("ok"),
      nothing: executed("empty"),
      bad: executed("error", "no such table: ferry"),
    },
    answers: {
      good: { execution: executed("ok"), verdict: scored(1) },
      random: { execution: executed("ok"), verdict: scored(0) },
      broken: { execution: executed("ok"), verdict: unscored("spider_parse_refused", "") },
      nothing: { execution: executed("empty"), verdict: scored(1) },
      bad: { execution: executed("error"), verdict: unscored("gold_error", "") },
    },
  });
  const examples = ["good", "random", "broken", "nothing", "bad"].map((name) =>
    example(name, { gold: [name] }),
  );
  const inputs = { examples: [...examples, example("none", { gold: [] })], databases: [database("ferries")] };
  const options = { metrics: ["same"], labels: [] };
  const { checks } = await runStage(checkGoldScoresStage, inputs, options, {
    plugs: fakePlugs([metric]),
    judge,
  });
  const row = { databaseId: "ferries", message: "", unmatched: {}, isEmpty: false, reason: "ok" };
  expect(checks).toEqual([
    { ...row, exampleId: idOf("random"), sourceId: "random", unmatched: { same: "score 0" } },
    { ...row, exampleId: idOf("broken"), sourceId: "broken", unmatched: { same: "spider_parse_refused" } },
    { ...row, exampleId: idOf("nothing"), sourceId: "nothing", isEmpty: true },
    {
      ...row,
      exampleId: idOf("bad"),
      sourceId: "bad",
      reason: "gold_error",
      message: "no such table: ferry",
    },
    expect.objectContaining({ exampleId: idOf("none"), reason: "no_gold" }),
  ]);
});
