import { describe, expect, it } from "vitest";
import { defineLabel, defineMetric } from "../../core/metric.ts";
import type { Trajectory } from "../../core/trajectory.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { scoreStage } from "../../curation/score.ts";
import { executed, FakeJudge, type FakeReplies } from "../fakes/judge.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { database, example, idOf, trajectory } from "./sample-rows.ts";

const metric = defineMetric({
  id: "same",
  version: 1,
  needs: { rows: false },
  deviations: [],
  judge: () => scored(1),
});
const label = defineLabel({
  id: "length",
  version: 1,
  levels: ["short", "long"],
  label: (sql, schema) =>
    schema.databaseId === "strict"
      ? unscored("refused", "not here")
      : { status: "scored", label: sql.length > 8 ? "long" : "short" },
});
const plugs = fakePlugs([metric, label]);
const options = { metrics: ["same"], labels: ["length"] };

const right = { execution: executed("ok"), verdict: scored(1) };
const wrong = { execution: executed("empty"), verdict: scored(0) };
const crashed = {
  execution: executed("crashed", "killed twice"),
  verdict: unscored("crashed", "killed twice"),
};
const replies: FakeReplies = {
  golds: {
    good: executed("ok"),
  },
  answers: { right, wrong, crashed, "": wrong },
};

describe("scoreStage", () => {
  it("spreads the judge's verdicts over all samples and asks for each SQL once", async () => {
    const judge = new FakeJudge(replies);
    const trajectories = [
      trajectory("a", 0, "right"),
      trajectory("a", 1, "wrong"),
      trajectory("a", 2, "right"),
      trajectory("a", 3, null),
      trajectory("a", 4, "crashed", {
        source: "simulated",
        scaffold: { id: "agent", version: 2, options: {} },
      }),
    ];
    const inputs = {
      examples: [example("a", { gold: ["good"] })],
      trajectories,
      databases: [database("ferries")],
    };
    const { golds, samples } = await runStage(scoreStage, inputs, options, { plugs, judge });
    expect(judge.requests).toHaveLength(1);
    expect(judge.requests[0]).toMatchObject({
      gold: ["good"],
      predictions: ["right", "wrong", "crashed"],
      metrics: ["same"],
      goldLimits: { cpuMs: 60_000, maxRows: 1_000_000, maxBytes: 268_435_456 },
      predictionLimits: { cpuMs: 30_000, maxRows: 1_000_000, maxBytes: 268_435_456 },
    });
    expect(golds).toEqual([
      {
        exampleId: idOf("a"),
        databaseId: "ferries",
        executions: [executed("ok")],
        reason: "ok",
        message: "",
        labels: { length: { status: "scored", label: "short" } },
      },
    ]);
    expect(samples.map(({ verdicts }) => verdicts["same"])).toEqual([
      { status: "scored", score: 1 },
      { status: "scored", score: 0 },
      { status: "scored", score: 1 },
      { status: "scored", score: 0 },
      { status: "unscored", reason: "crashed", message: "killed twice" },
    ]);
    expect(samples.map(({ execution }) => execution?.status)).toEqual([
      "ok",
      "empty",
      "ok",
      undefined,
      "crashed",
    ]);
    expect(samples[4]).toMatchObject({ sampleIndex: 4, setting: "agent", simulated: true, round: 0 });
  });

  it("treats an empty answer as an answer", async () => {
    const inputs = {
      examples: [example("a", { gold: ["good"] })],
      trajectories: [trajectory("a", 0, ""), trajectory("a", 1, null)],
      databases: [database("ferries")],
    };
    const { samples } = await runStage(scoreStage, inputs, options, { plugs, judge: new FakeJudge(replies) });
    expect(samples.map(({ execution }) => execution?.status ?? null)).toEqual(["empty", null]);
  });

  it("judges on a database in WAL mode, which is read from a copy", async () => {
    const judge = new FakeJudge(replies);
    const inputs = {
      examples: [example("a", { databaseId: "wal", gold: ["good"] })],
      trajectories: [trajectory("a", 0, "right")],
      databases: [database("wal", { status: "wal", message: "a journal beside it" })],
    };
    const { golds } = await runStage(scoreStage, inputs, options, { plugs, judge });
    expect(golds.map(({ reason }) => reason)).toEqual(["ok"]);
    expect(judge.requests).toHaveLength(1);
  });

  it("has nothing run without a readable database, and does not call the judge without a described one or a gold", async () => {
    const judge = new FakeJudge(replies);
    const names = ["absent", "missing", "corrupt", "text", "ferries"];
    const inputs = {
      examples: names.map((name) =>
        example(name, { databaseId: name, gold: name === "ferries" ? [] : ["good"] }),
      ),
      trajectories: names.map((name) => trajectory(name, 0, "right")),
      databases: [
        database("missing", { status: "missing", message: "no file", digest: "" }),
        database("corrupt", { status: "corrupt", message: "page 3" }),
        database("text", { status: "not_a_database", message: "a text file" }),
        database("ferries"),
      ],
    };
    const { golds, samples } = await runStage(scoreStage, inputs, options, { plugs, judge });
    expect(judge.requests.map(({ database: { databaseId } }) => databaseId).sort()).toEqual([
      "corrupt",
      "missing",
      "text",
    ]);
    expect(golds.map(({ reason, message, executions }) => [reason, message, executions])).toEqual([
      ["database_missing", 'the dataset has no database "absent"', null],
      ["database_missing", "no file", null],
      ["database_unreadable", "page 3", null],
      ["database_unreadable", "a text file", null],
      ["no_gold", "the dataset gives no gold SQL for this question", []],
    ]);
    expect(samples.map(({ verdicts, execution }) => [verdicts["same"], execution])).toEqual(
      golds.map(({ reason, message }) => [{ status: "unscored", reason, message }, null]),
    );
    expect(golds.map(({ labels }) => labels["length"]?.status)).toEqual([
      "unscored",
      "scored",
      "scored",
      "scored",
      "unscored",
    ]);
  });

  it("keeps a label's refusal beside the gold", async () => {
    const inputs = {
      examples: [example("a", { databaseId: "strict", gold: ["good"] })],
      trajectories: [],
      databases: [database("strict")],
    };
    const { golds } = await runStage(scoreStage, inputs, options, { plugs, judge: new FakeJudge(replies) });
    expect(golds[0]?.labels["length"]).toEqual({
      status: "unscored",
      reason: "refused",
      message: "not here",
    });
  });

  it("gives the same rows in the same order whatever call ends first", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `e${String(index).padStart(2, "0")}`);
    const trajectories: Trajectory[] = names.flatMap((name, index) =>
      Array.from({ length: index % 4 }, (_, sampleIndex) =>
        trajectory(name, sampleIndex, sampleIndex % 2 === 0 ? "right" : "wrong"),
      ),
    );
    const inputs = {
      examples: names.map((name) => example(name, { gold: ["good"] })),
      trajectories,
      databases: [database("ferries")],
    };
    const run = async (concurrency: number, seed: number) => {
      const judge = new FakeJudge(replies, seed);
      const result = await runStage(scoreStage, inputs, options, { plugs, judge, runtime: { concurrency } });
      expect(judge.mostInFlight).toBeLessThanOrEqual(concurrency);
      return result;
    };
    const alone = await run(1, 1);
    expect(alone.golds.map(({ exampleId }) => exampleId)).toEqual(names.map(idOf));
    expect(alone.samples.map(({ trajectoryId }) => trajectoryId)).toEqual(trajectories.map(({ id }) => id));
    expect(await run(7, 2)).toEqual(alone);
    expect(await run(16, 3)).toEqual(alone);
  });

  it("fails with the judge instead of scoring", async () => {
    const inputs = {
      examples: [example("a", { gold: ["good"] })],
      trajectories: [trajectory("a", 0, "unheard of")],
      databases: [database("ferries")],
    };
    const judge = new FakeJudge(replies);
    await expect(runStage(scoreStage, inputs, options, { plugs, judge })).rejects.toThrow("no reply");
  });

  it("refuses a trajectory that comes twice, one of an unknown example, and plugs in the wrong place", async () => {
    const inputs = {
      examples: [example("a", { gold: ["good"] })],
      trajectories: [trajectory("a", 0, "right"), trajectory("a", 0, "right")],
      databases: [database("ferries")],
    };
    const around = { plugs, judge: new FakeJudge(replies) };
    await expect(runStage(scoreStage, inputs, options, around)).rejects.toMatchObject({
      code: "SCORE_TRAJECTORY_TWICE",
    });
    const stray = { ...inputs, trajectories: [trajectory("x", 0, "right")] };
    await expect(runStage(scoreStage, stray, options, around)).rejects.toMatchObject({
      code: "STAGE_ORDER_BROKEN",
    });
    for (const misplaced of [
      { metrics: ["length"], labels: [] },
      { metrics: ["same"], labels: ["same"] },
    ]) {
      await expect(runStage(scoreStage, inputs, misplaced, around)).rejects.toMatchObject({
        code: "SCORE_PLUG_MISPLACED",
      });
    }
    const measuring = { plugs: fakePlugs([{ ...metric, needs: { rows: true, timings: true } }, label]) };
    await expect(runStage(scoreStage, inputs, options, { ...around, ...measuring })).rejects.toMatchObject({
      code: "SCORE_METRIC_MEASURED",
      hint: expect.stringContaining("gradus score") as string,
    });
  });

  it("stops when it is interrupted", async () => {
    const inputs = {
      examples: [example("a", { gold: ["good"] })],
      trajectories: [],
      databases: [database("ferries")],
    };
    const around = { plugs, judge: new FakeJudge(replies), signal: AbortSignal.abort() };
    await expect(runStage(scoreStage, inputs, options, around)).rejects.toMatchObject({
      code: "INTERRUPTED",
    });
  });

  it("names its plugs and its defaults", () => {
    const defaults = scoreStage.options.parse({});
    expect(defaults).toMatchObject({ metrics: ["bird-ex"], labels: ["spider-hardness"] });
    expect(scoreStage.plugs(defaults, plugs)).toEqual([
      { kind: "metric", id: "bird-ex" },
      { kind: "metric", id: "spider-hardness" },
    ]);
  });
});
