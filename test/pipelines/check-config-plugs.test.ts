import { describe, expect, it } from "vitest";
import { checkConfigPlugs } from "../../pipelines/check-config-plugs.ts";
import { parseRunConfig, type RunConfig } from "../../pipelines/config.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";

const plugs = createPlugFinder();

function configOf(changes: Readonly<Record<string, unknown>>): RunConfig {
  const config = {
    gradus: 1,
    name: "checked",
    datasets: [{ loader: "spider", root: "sample:spider", split: "train" }],
    models: { student: { provider: "simulated", name: "s" } },
    answers: { rollouts: [{ model: "student", scaffold: "sql-trail", samples: 1 }] },
    ...changes,
  };
  return parseRunConfig(config, "run.yaml");
}

const rollout = (scaffold: string, options: unknown) => ({
  answers: { rollouts: [{ model: "student", scaffold, options, samples: 1 }] },
});

describe("checkConfigPlugs", () => {
  it("lets a config pass whose plugs take what it gives", async () => {
    await checkConfigPlugs(configOf({}), plugs);
    await checkConfigPlugs(
      configOf(rollout("dualsql-generator", { guardrails: { mode: "training" } })),
      plugs,
    );
  });

  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    [
      "an unknown option",
      rollout("retool-sql", { callz: "native" }),
      /answers\.rollouts\.0\.options of retool-sql: unknown key "callz" \(did you mean "calls"\?\), expected calls/,
    ],
    [
      "an unknown option of an exporter",
      { export: { options: { "messages-sft": { fro: "trl" } } } },
      /export\.options\.messages-sft: unknown key "fro" \(did you mean "for"\?\), expected for, thoughts, turns/,
    ],
    [
      "an exporter without what it needs",
      { export: { exporters: ["pretokenized"] } },
      /export\.options\.pretokenized: tokenizer: /,
    ],
    ["a wrong value", rollout("sql-trail", { history: "predicted" }), /options of sql-trail: history: /],
    [
      "a wrong value inside",
      rollout("mtsql-r1", { guardrails: { mode: "train" } }),
      /options of mtsql-r1: guardrails\.mode: /,
    ],
    [
      "a wrong option of the linker",
      rollout("dualsql-generator", { linker: { turns: 3 } }),
      /options of dualsql-linker: unknown key "turns"/,
    ],
    [
      "a wrong option of the prompt",
      { prompt: { options: { foo: 1 } } },
      /prompt\.options of single-turn: unknown key "foo"/,
    ],
    [
      "a metric that measures",
      { judge: { metrics: ["bird-ex", "bird-r-ves"] } },
      /judge\.metrics: bird-r-ves/,
    ],
  ])("refuses %s", async (_name, changes, message) => {
    await expect(checkConfigPlugs(configOf(changes), plugs)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message) as string,
    });
  });
});
