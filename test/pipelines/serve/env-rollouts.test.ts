import { afterAll, expect, it } from "vitest";
import { EnvRollouts, historyOf } from "../../../pipelines/serve/env-rollouts.ts";
import { EXAMPLES, closeServed, servedRun } from "./served-fixture.ts";

afterAll(closeServed);

const rollout = (scaffold: string, parts: object = {}) => ({
  model: "student",
  scaffold,
  samples: 1,
  ...parts,
});

it("takes the prompt's scaffold where a rollout has it, else that of the last rollout", async () => {
  expect(new EnvRollouts(await servedRun(), null).scaffold).toBe("sql-trail");
  expect(new EnvRollouts(await servedRun([rollout("single-turn")]), null).scaffold).toBe("single-turn");
});

it("of several rollouts of a scaffold the last decides", async () => {
  const sampling = { temperature: 0.25 };
  const run = await servedRun([
    rollout("sql-trail"),
    rollout("sql-trail", { sampling, options: { maxTurns: 3 } }),
  ]);
  const taken = await new EnvRollouts(run, null).take({});
  expect(taken.plan.sampling.temperature).toBe(0.25);
  expect(taken.options).toEqual({ maxTurns: 3 });
});

it("opens scaffolds that no rollout has, once", async () => {
  const rollouts = new EnvRollouts(await servedRun(), null);
  const taken = await rollouts.take({ scaffold: "retool-sql" });
  expect(taken.scaffold.id).toBe("retool-sql");
  expect(await rollouts.take({ scaffold: "retool-sql" })).toBe(taken);
});

it("sets the mode of guardrails: the client's strictly, the service's where there are any", async () => {
  const run = await servedRun();
  const rollouts = new EnvRollouts(run, "training");
  expect((await rollouts.take({ scaffold: "retool-sql" })).options).toEqual({
    guardrails: { mode: "training" },
  });
  expect((await rollouts.take({ scaffold: "retool-sql", mode: "test" })).options).toEqual({
    guardrails: { mode: "test" },
  });
  expect((await rollouts.take({ scaffold: "single-turn" })).options).toEqual({});
  for (const choice of [
    { scaffold: "single-turn", mode: "test" as const },
    { scaffold: "single-turn", options: { maxTurn: 1 } },
  ]) {
    await expect(rollouts.take(choice)).rejects.toMatchObject({ code: "EPISODE_OPTIONS_INVALID" });
  }
  await expect(rollouts.take({ scaffold: "single-trun" })).rejects.toMatchObject({ code: "PLUG_UNKNOWN" });
});

it("needs the answers to earlier turns where they are shown", async () => {
  const rollouts = new EnvRollouts(await servedRun(), null);
  const predicted = await rollouts.take({ scaffold: "mtsql-r1", options: { history: "predicted" } });
  const [, , dialogue] = EXAMPLES as [unknown, unknown, (typeof EXAMPLES)[number]];
  expect(() => historyOf(dialogue, predicted, undefined)).toThrow("got 0 answers");
  expect(historyOf(dialogue, predicted, ["SELECT 2"])).toEqual([
    { question: "How many boats?", sql: "SELECT 2" },
  ]);
  const gold = await rollouts.take({ scaffold: "mtsql-r1" });
  expect(historyOf(dialogue, gold, undefined)).toEqual([
    { question: "How many boats?", sql: "SELECT count(*) FROM boat" },
  ]);
});
