import { describe, expect, it } from "vitest";
import { call, judged, observed, reply, rewardInput, told, trajectory } from "../curation/reward-rows.ts";
import { plugs } from "../synth/synth-rows.ts";

const ids = await plugs.list("reward");
const episodes = [
  trajectory([reply("done")]),
  trajectory([
    reply("look", { toolCalls: [call("execute_sql", { sql: "SELECT 1" })] }),
    observed("[]"),
    reply("done"),
  ]),
  trajectory([reply(""), told("no"), reply("")], { finalSql: null, stopReason: "turn_budget" }),
  trajectory([reply("cut")], { finalSql: null, stopReason: "guardrail", stopDetail: "no_action" }),
  trajectory([reply("links")], { finalSql: null, links: [{ table: "singer", columns: [] }] }),
  trajectory([], { finalSql: null, stopReason: "content_filter" }),
];

it("there are rewards", () => {
  expect(ids).toEqual(expect.arrayContaining(["dualsql", "mtsql-r1", "outcome", "retool-sql", "sql-trail"]));
});

describe.each(ids)("reward %s", async (id) => {
  const reward = await plugs.find("reward", id);
  const options: unknown = reward.options.parse({});
  const metrics = reward.metrics(options);
  const judgedAll = (score: number) => Object.fromEntries(metrics.map((metric) => [metric, score]));
  const inputs = episodes.flatMap((episode) =>
    [0, 0.5, 1].map((score) =>
      rewardInput(episode, judgedAll(score), {
        statements: new Map((reward.statements?.(episode) ?? []).map((sql) => [sql, judged("ok", score)])),
        tokens: 50_000,
      }),
    ),
  );

  it("is a reward named by its file whose metrics and labels exist", async () => {
    expect(reward).toMatchObject({ kind: "reward", id });
    expect(Number.isInteger(reward.version) && reward.version > 0).toBe(true);
    for (const metric of metrics) expect((await plugs.find("metric", metric)).kind).toBe("metric");
    for (const label of reward.labels(options))
      expect((await plugs.find("metric", label)).kind).toBe("label");
  });

  it("gives a finite total and all its terms for every episode, the same each time", () => {
    for (const input of inputs) {
      const result = reward.score(Object.freeze(input), options);
      expect(result.status).toBe("scored");
      if (result.status !== "scored") continue;
      expect(Object.keys(result.terms)).toEqual(reward.terms);
      expect(Number.isFinite(result.total)).toBe(true);
      for (const { value } of Object.values(result.terms)) expect(Number.isFinite(value)).toBe(true);
      expect(reward.score(input, options)).toEqual(result);
    }
  });

  it("is 0 once every term is ablated, and refuses terms that it does not have", () => {
    const none = Object.fromEntries(reward.terms.map((term) => [term, 0]));
    const ablated: unknown = reward.options.parse({ terms: none });
    for (const input of inputs) expect(reward.score(input, ablated)).toMatchObject({ total: 0 });
    expect(reward.options.safeParse({ terms: { never_heard_of: 1 } }).success).toBe(false);
  });

  it("has no total where a verdict has none", () => {
    const verdicts = Object.fromEntries(
      metrics.map((metric) => [
        metric,
        { status: "unscored", reason: "gold_timeout", message: "slow" } as const,
      ]),
    );
    const input = { ...rewardInput(episodes[0] as (typeof episodes)[number], {}), verdicts };
    expect(reward.score(input, options)).toMatchObject({ status: "unscored", reason: "gold_timeout" });
  });
});
