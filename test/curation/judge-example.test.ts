import { describe, expect, it } from "vitest";
import type { Judge } from "../../core/judge.ts";
import { defineLabel } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { judgeExample } from "../../curation/judge-example.ts";
import { executed, FakeJudge } from "../fakes/judge.ts";
import { database, example, idOf } from "./sample-rows.ts";

const golds = {
  good: executed("ok"),
  nothing: executed("empty"),
  bad: executed("error", "no such table: x"),
  refused: executed("denied", "not a query"),
  slow: executed("timeout", "over 60000 ms"),
  large: executed("too_large", "over 1000000 rows"),
  dead: executed("crashed", "killed"),
};
const answers = {
  right: { execution: executed("ok"), verdict: scored(1) },
  "": { execution: executed("error", "empty"), verdict: scored(0) },
};
const label = defineLabel({
  id: "first-letter",
  version: 1,
  levels: ["g", "b"],
  label: (sql) => ({ status: "scored", label: sql.charAt(0) }),
});

/** The difficulty that the dataset gives. */
const published = defineLabel({
  id: "published",
  version: 1,
  levels: ["simple"],
  label: (_sql, _schema, difficulty) => ({ status: "scored", label: String(difficulty) }),
});

function judgeOne(gold: readonly string[], finals: readonly (string | null)[], judge: Judge) {
  const sample = {
    trajectoryId: idOf("t"),
    exampleId: idOf("a"),
    sampleIndex: 0,
    round: 0,
    model: { name: "student", revision: "1" },
    setting: "single-turn",
    simulated: false,
  };
  return judgeExample(
    {
      example: example("a", { gold: [...gold], difficulty: "simple" }),
      answers: finals.map((finalSql) => ({ finalSql, sample })),
      done: 3,
      total: 9,
    },
    {
      judge,
      database: database("ferries"),
      metrics: ["same"],
      labels: [label, published],
      goldLimits: { cpuMs: 60_000, maxRows: 10, maxBytes: 100 },
      predictionLimits: { cpuMs: 30_000, maxRows: 10, maxBytes: 100 },
    },
  );
}

describe("judgeExample", () => {
  it.each([
    ["bad", "gold_error", "gold_error", "no such table: x"],
    ["refused", "gold_error", "gold_denied", "not a query"],
    ["slow", "gold_timeout", "gold_timeout", "over 60000 ms"],
    ["large", "gold_too_large", "gold_too_large", "over 1000000 rows"],
    ["dead", "gold_crashed", "gold_crashed", "killed"],
  ])("leaves samples unscored when the gold is %s", async (gold, reason, said, message) => {
    const judged = await judgeOne([gold], ["right", null], new FakeJudge({ golds, answers }));
    expect(judged.gold).toMatchObject({ reason, message });
    expect(judged.samples.map(({ verdicts }) => verdicts["same"])).toEqual([
      { status: "unscored", reason: said, message },
      { status: "unscored", reason, message },
    ]);
    expect(judged.samples.map(({ execution }) => execution?.status ?? null)).toEqual(["ok", null]);
  });

  it.each([
    [["bad", "good"], "ok"],
    [["nothing"], "ok"],
    [["slow", "bad"], "gold_timeout"],
  ])("judges golds %j as %s", async (gold, reason) => {
    const judge = new FakeJudge({ golds, answers });
    const judged = await judgeOne(gold, [], judge);
    expect(judged.gold.reason).toBe(reason);
    expect(judged.gold.executions).toHaveLength(gold.length);
    expect(judge.requests[0]?.predictions).toEqual([]);
  });

  it("labels the first gold and passes progress through", async () => {
    const judged = await judgeOne(["bad", "good"], [], new FakeJudge({ golds, answers }));
    expect(judged.gold.labels).toEqual({
      "first-letter": { status: "scored", label: "b" },
      published: { status: "scored", label: "simple" },
    });
    expect(judged).toMatchObject({ done: 3, total: 9 });
  });

  it("tells an empty answer from none", async () => {
    const judge = new FakeJudge({ golds, answers });
    const { samples } = await judgeOne(["good"], ["", null, ""], judge);
    expect(judge.requests[0]?.predictions).toEqual([""]);
    expect(samples.map(({ execution }) => execution?.status ?? null)).toEqual(["error", null, "error"]);
    expect(samples.map(({ verdicts }) => verdicts["same"])).toEqual([scored(0), scored(0), scored(0)]);
  });

  it.each([
    ["a verdict", { gold: [executed("ok")], answers: [{ execution: executed("ok"), verdicts: {} }] }],
    ["an answer", { gold: [executed("ok")], answers: [] }],
    ["a gold", { gold: [], answers: [{ execution: executed("ok"), verdicts: { same: scored(1) } }] }],
  ])("refuses a reply that leaves out %s", async (_what, reply) => {
    const judge: Judge = { judge: () => Promise.resolve(reply) };
    await expect(judgeOne(["good"], ["right"], judge)).rejects.toMatchObject({
      code: "JUDGE_REPLY_INCOMPLETE",
    });
  });
});
