import { describe, expect, it } from "vitest";
import { goldShown, seenChanges } from "../../../pipelines/audit/seen-changes.ts";
import { RolloutConfig } from "../../../pipelines/config.ts";
import { createPlugFinder } from "../../../pipelines/plugs.ts";
import { bakeryExample } from "../../datasets/correction-fixtures.ts";

const rollout = (scaffold: string, samples: number, options = {}) =>
  RolloutConfig.parse({ model: "student", scaffold, samples, options });

it("the rollouts that show gold are those of gold history, of a privileged teacher, and of gold's links", async () => {
  const plugs = createPlugFinder();
  expect(await goldShown([rollout("single-turn", 4), rollout("sql-trail", 4)], plugs)).toEqual({
    history: 0,
    own: 0,
  });
  const shown = [
    rollout("single-turn", 1, { history: "gold" }),
    rollout("retool-sql-teacher", 2),
    rollout("dualsql-generator", 4, { oracle: true }),
    rollout("single-turn", 8),
  ];
  expect(await goldShown(shown, plugs)).toEqual({ history: 1, own: 6 });
});

describe("seenChanges", () => {
  const before = bakeryExample({ history: [{ question: "q0", gold: "g0" }] });
  const seen = (changes: Parameters<typeof bakeryExample>[0], shown = { history: 0, own: 0 }) =>
    seenChanges({ example: { ...before, ...changes }, before }, shown);

  it("concern every sample where the question, the evidence or an earlier question is another", () => {
    expect(seen({ question: "x" })).toEqual({ because: ["question"], most: Infinity });
    expect(seen({ evidence: "x" })).toEqual({ because: ["evidence"], most: Infinity });
    expect(seen({ history: [{ question: "x", gold: "g0" }] })).toEqual({
      because: ["history"],
      most: Infinity,
    });
  });

  it("concern the samples that were shown gold, where gold is another", () => {
    const later = { history: [{ question: "q0", gold: "x" }] };
    expect(seen(later)).toEqual({ because: [], most: 0 });
    expect(seen(later, { history: 3, own: 0 })).toEqual({ because: ["history"], most: 3 });
    expect(seen({ gold: ["x"] })).toEqual({ because: [], most: 0 });
    expect(seen({ gold: ["x"] }, { history: 3, own: 2 })).toEqual({ because: ["gold"], most: 2 });
    expect(seen({})).toEqual({ because: [], most: 0 });
  });
});
