import { expect, it } from "vitest";
import { scored } from "../../core/verdict.ts";
import { openReward } from "../../curation/open-reward.ts";
import { scoreReward } from "../../curation/score-reward.ts";
import { executed, FakeJudge } from "../fakes/judge.ts";
import { FERRIES, plugs } from "../synth/synth-rows.ts";
import { call, observed, reply, trajectory } from "./reward-rows.ts";
import { example } from "./sample-rows.ts";

const GOLD = "SELECT name FROM boat";
const LIMITS = { cpuMs: 1000, maxRows: 10, maxBytes: 1000 };
const ASKED = example("a", { gold: [GOLD] });

function judgeOf(answers: Readonly<Record<string, number>>, gold = executed("ok")) {
  const replies = Object.entries(answers).map(([sql, score]) => [
    sql,
    { execution: executed("ok"), verdict: scored(score) },
  ]);
  return new FakeJudge({ golds: { [GOLD]: gold }, answers: Object.fromEntries(replies) });
}

async function rewardOf(
  id: string,
  episode = trajectory([reply("done")]),
  judge = judgeOf({ "SELECT 1": 1 }),
) {
  const services = { judge, goldLimits: LIMITS, predictionLimits: LIMITS };
  const request = { example: ASKED, database: FERRIES, trajectories: [{ trajectory: episode }] };
  const [row] = await scoreReward(request, await openReward(id, {}, plugs), services);
  return row;
}

it("judges the answer and gives a row", async () => {
  expect(await rewardOf("outcome")).toEqual({
    trajectoryId: "t".padEnd(32, "0"),
    exampleId: "a".padEnd(32, "0"),
    sampleIndex: 0,
    reward: "outcome",
    version: 1,
    total: 1,
    terms: { answer: { value: 1, weight: 1 } },
    reason: "ok",
    message: "",
  });
});

it("no answer is wrong; a gold that does not run leaves no total", async () => {
  const none = trajectory([reply("done")], { finalSql: null, stopReason: "no_answer" });
  expect(await rewardOf("outcome", none, judgeOf({}))).toMatchObject({ total: 0 });
  const broken = judgeOf({ "SELECT 1": 1 }, executed("error", "no such table"));
  expect(await rewardOf("outcome", undefined, broken)).toMatchObject({
    total: null,
    terms: {},
    reason: "gold_error",
  });
});

it("holds links against those of the gold", async () => {
  const links = [{ table: "boat", columns: ["name"] }];
  const linking = trajectory([reply("done")], { finalSql: null, links });
  expect(await rewardOf("dualsql", linking, judgeOf({}))).toMatchObject({ total: 1 });
});

it("judges the statements that the reward asks for in the same call", async () => {
  const judge = judgeOf({ "SELECT 1": 1, "SELECT 2": 0.5 });
  const episode = trajectory([
    reply("run", { steps: ["PROPOSE", "EXECUTE"], toolCalls: [call("exec_sql", { code: "SELECT 2" })] }),
    observed("rows"),
    reply("done", { steps: ["E-VERIFY:pass", "FINALIZE"] }),
  ]);
  const row = await rewardOf("mtsql-r1", episode, judge);
  expect(judge.requests.map(({ predictions }) => predictions)).toEqual([["SELECT 1", "SELECT 2"]]);
  expect(row?.terms).toMatchObject({ propose: { value: 0.5 }, execution_check: { value: 1 } });
});

it("judges all trajectories of an example in one call, and counts tokens itself where nobody has", async () => {
  const judge = judgeOf({ "SELECT 1": 1, "SELECT 2": 0 });
  const services = { judge, goldLimits: LIMITS, predictionLimits: LIMITS };
  const other = trajectory([reply("done")], { id: "u".padEnd(32, "0"), finalSql: "SELECT 2" });
  const trajectories = [{ trajectory: trajectory([reply("done")]), tokens: 7_000 }, { trajectory: other }];
  const request = { example: ASKED, database: FERRIES, trajectories };
  const rows = await scoreReward(request, await openReward("retool-sql", {}, plugs), services);
  expect(judge.requests).toHaveLength(1);
  expect(
    rows.map(({ trajectoryId, terms }) => [
      trajectoryId[0],
      terms["execution"]?.value,
      terms["length"]?.value,
    ]),
  ).toEqual([
    ["t", 1, -0.25],
    ["u", 0, 0],
  ]);
  expect(
    await scoreReward({ ...request, trajectories: [] }, await openReward("outcome", {}, plugs), services),
  ).toEqual([]);
});
