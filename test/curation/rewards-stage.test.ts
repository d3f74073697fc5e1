import { expect, it } from "vitest";
import { scored } from "../../core/verdict.ts";
import { rewardsStage } from "../../curation/rewards-stage.ts";
import { executed, FakeJudge } from "../fakes/judge.ts";
import { runStage } from "../fakes/run-stage.ts";
import { plugs } from "../synth/synth-rows.ts";
import { reply, trajectory } from "./reward-rows.ts";
import { database, example, idOf } from "./sample-rows.ts";

it("scores every trajectory by every reward, in order", async () => {
  const judge = new FakeJudge({
    golds: { "SELECT 1": executed("ok") },
    answers: { "SELECT 1": { execution: executed("ok"), verdict: scored(1) } },
  });
  const episode = (name: string, exampleId: string) =>
    trajectory([reply("done")], { id: idOf(name), exampleId: idOf(exampleId) });
  const { rewards } = await runStage(
    rewardsStage,
    {
      examples: [example("a"), example("b")],
      databases: [database("ferries")],
      trajectories: [episode("1", "a"), episode("2", "a"), episode("3", "b")],
    },
    { rewards: [{ id: "outcome" }, { id: "dualsql", options: { terms: { format: 0 } } }] },
    { plugs, judge },
  );
  expect(rewards.map(({ trajectoryId, reward, total }) => [trajectoryId[0], reward, total])).toEqual([
    ["1", "outcome", 1],
    ["1", "dualsql", 1],
    ["2", "outcome", 1],
    ["2", "dualsql", 1],
    ["3", "outcome", 1],
    ["3", "dualsql", 1],
  ]);
});

it("names its rewards and their metrics as plugs, so that their versions enter the key", async () => {
  const options = rewardsStage.options.parse({ rewards: [{ id: "sql-trail" }] });
  expect((await rewardsStage.plugs(options, plugs)).map(({ id }) => id)).toEqual([
    "sql-trail",
    "bird-ex",
    "bigram",
    "schema-linking",
    "syntax",
    "spider-hardness",
  ]);
});
