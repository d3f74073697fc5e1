import { describe, expect, it } from "vitest";
import { rejectStage } from "../../synth/reject.ts";
import teacher from "../../synth/scaffolds/retool-sql-teacher.ts";
import { unscored } from "../../core/verdict.ts";
import { database, example, message, sample, split, trajectory } from "../curation/sample-rows.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";

/** A rollout with so many interactions. */
function rollout(name: string, index: number, interactions: number, parts: object = {}) {
  const turns = Array.from({ length: interactions }, () => [
    message("assistant", "call"),
    { ...message("user", "result"), origin: "environment" as const },
  ]).flat();
  return trajectory(name, index, "SELECT 1", {
    messages: [...turns, message("assistant", "SELECT 1")],
    ...parts,
  });
}

type Rollout = ReturnType<typeof rollout>;

async function reject(
  hardness: string,
  rollouts: readonly (readonly [Rollout, Parameters<typeof sample>[2]])[],
  options: object = {},
) {
  const inputs = {
    examples: [example("a"), example("gone")],
    databases: [database("ferries")],
    kept: [split("a", 0, { hardness })],
    prompts: [],
    samples: [...rollouts.map(([, verdict], index) => sample("a", index, verdict)), sample("gone", 0, 1)],
    trajectories: [...rollouts.map(([each]) => each), rollout("gone", 0, 2)],
  };
  const given = { metrics: ["bird-ex"], ...options };
  const out = await runStage(rejectStage, inputs, given, { plugs: fakePlugs([teacher]) });
  return {
    kept: out.candidates.map(({ trajectoryId }) => Number(trajectoryId.split(".")[1])),
    reasons: out.passedOver.map(({ reason }) => reason),
    question: out.questions[0],
    candidates: out.candidates,
  };
}

describe("reject", () => {
  it("keeps the long right rollouts of a hard question", async () => {
    const found = await reject("hard", [
      [rollout("a", 0, 1), 1],
      [rollout("a", 1, 2), 1],
      [rollout("a", 2, 4), 1],
      [rollout("a", 3, 4), 0],
      [rollout("a", 4, 4), unscored("timeout", "late")],
      [rollout("a", 5, 4, { stopReason: "no_answer" }), 1],
    ]);
    expect(found.kept).toEqual([1, 2]);
    expect(found.reasons.sort()).toEqual([
      "example_dropped",
      "no_answer",
      "outside_class",
      "unscored",
      "wrong",
    ]);
    expect(found.question).toMatchObject({ reason: "hard", right: 3, n: 5, c: 3 });
    expect(found.candidates[0]).toMatchObject({ class: "hard", limit: 3, interactions: 2, fallback: false });
  });

  it("keeps the short ones of an easy question, and of one that is always right", async () => {
    const rollouts = [
      [rollout("a", 0, 1), 1],
      [rollout("a", 1, 3), 1],
    ] as const;
    expect((await reject("easy", rollouts)).kept).toEqual([0]);
    expect((await reject("extra", rollouts)).kept).toEqual([1]);
    expect((await reject("extra", rollouts, { easy: { minimumN: 2 } })).kept).toEqual([0]);
    expect((await reject("extra", rollouts, { easy: { minimumN: 2, passRate: null } })).kept).toEqual([1]);
  });

  it("falls back to the nearest, and counts it", async () => {
    const easy = await reject("easy", [
      [rollout("a", 0, 5), 1],
      [rollout("a", 1, 3), 1],
    ]);
    expect([easy.kept, easy.question?.reason]).toEqual([[1], "easy_fallback"]);
    const hard = await reject("hard", [
      [rollout("a", 0, 0), 1],
      [rollout("a", 1, 1), 1],
    ]);
    expect([hard.kept, hard.question?.reason]).toEqual([[1], "hard_fallback"]);
    const open = await reject("hard", [[rollout("a", 0, 2), 0]]);
    expect(open.question?.reason).toBe("open");
  });

  it("passes over a privileged trace that shows the gold, and does not count it as the model's", async () => {
    const scaffold = { id: teacher.id, version: 1, options: {} };
    const telling = { messages: [message("assistant", "The gold query says so.")], scaffold };
    const rollouts = [
      [rollout("a", 0, 2), 1],
      [trajectory("a", 1, "SELECT 1", telling), 1],
    ] as const;
    const found = await reject("hard", rollouts);
    expect(found.reasons).toContain("leak_given_answer");
    expect(found.question).toMatchObject({ n: 1, c: 1 });
    expect((await reject("hard", rollouts, { checksTraces: false })).reasons).not.toContain(
      "leak_given_answer",
    );
  });

  it("wants every metric that it is told of", async () => {
    await expect(reject("hard", [[rollout("a", 0, 2), 1]], { metrics: ["spider-em"] })).rejects.toMatchObject(
      {
        code: "METRIC_NOT_SCORED",
      },
    );
  });
});
