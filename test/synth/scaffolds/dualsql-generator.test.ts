import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../synth/run-episode.ts";
import generator from "../../../synth/scaffolds/dualsql-generator.ts";
import databaseProfiler from "../../../synth/tools/database-profiler.ts";
import executeSql from "../../../synth/tools/execute-sql-json.ts";
import fullTextSearch from "../../../synth/tools/full-text-search.ts";
import { ScriptedModel } from "../../fakes/model.ts";
import { openingOf, planOf } from "../episode-rows.ts";
import { COUNT, newLedger, services } from "../episode-services.ts";

const TOOLS = [executeSql, fullTextSearch, databaseProfiler];
const WELL = "<think>\nboat\n</think>\n\nI look.\n\n";
const RUN = `${WELL}<tool_call>\n${JSON.stringify({ name: "execute_sql", arguments: { sql: COUNT } })}\n</tool_call>`;
const ANSWER = `${WELL}\`\`\`sql\n${COUNT}\n\`\`\``;

async function play(script: readonly string[], options = {}) {
  const ledger = await newLedger();
  const model = new ScriptedModel(script);
  const plan = planOf(generator, TOOLS, { options });
  const outcome = await runEpisode(plan, { ...(await services([], ledger)), model });
  await ledger.close();
  if (outcome.kind !== "finished") throw new Error("expected a finished sample");
  return { trajectory: outcome.trajectory, requests: model.requests };
}

describe("dualsql-generator", () => {
  it("has the paper's turns, and follows the linker unless it is told otherwise", () => {
    const prelude = (given: object) => generator.prelude?.(generator.options.parse(given));
    expect(generator.maxTurns(generator.options.parse({}))).toBe(10);
    expect(generator).toMatchObject({ pastThoughts: "kept", readsGold: false });
    const { guardrails } = generator.options.parse({ guardrails: { mode: "training" } }) as {
      guardrails: object;
    };
    expect(prelude({ calls: "native", guardrails: { mode: "training" }, linker: { maxTurns: 3 } })).toEqual({
      scaffold: "dualsql-linker",
      options: { calls: "native", history: "questions", guardrails, maxTurns: 3 },
    });
    expect(prelude({ chain: false })).toBeNull();
    expect(prelude({ oracle: true })).toBe("gold_links");
  });

  it("says where its schema is narrowed", () => {
    const options = generator.options.parse({});
    const links = [{ table: "boat", columns: ["name"] }];
    expect(generator.open(openingOf({ links }), options)[0]?.rawText).toContain("narrowed");
    expect(generator.open(openingOf(), options)[0]?.rawText).not.toContain("narrowed");
  });

  it("runs its query and answers", async () => {
    const { trajectory, requests } = await play([RUN, ANSWER]);
    expect(trajectory).toMatchObject({ stopReason: "answered", finalSql: COUNT });
    expect(trajectory.messages.map(({ role, origin }) => `${role} ${origin}`)).toEqual([
      "system given",
      "user given",
      "assistant sampled",
      "user environment",
      "assistant sampled",
    ]);
    expect(trajectory.messages[3]?.rawText).toBe(
      '<tool_response>\n{"total_rows":1,"shown_rows":1,"rows":[{"count(*)":3}]}\n</tool_response>',
    );
    expect(requests[1]?.messages.map(({ content }) => content)).toEqual(
      trajectory.messages.slice(0, 4).map(({ rawText }) => rawText),
    );
  });

  it("is cut off in training mode, and learns from the faulty reply alone", async () => {
    const { trajectory } = await play([RUN, RUN], { guardrails: { mode: "training" } });
    expect(trajectory).toMatchObject({
      stopReason: "guardrail",
      stopDetail: "repeated_call",
      finalSql: null,
    });
    const sampled = trajectory.messages.filter(({ origin }) => origin === "sampled");
    expect(sampled.map(({ train, trainReason }) => [train, trainReason])).toEqual([
      [false, "masked_by_guardrail"],
      [true, "sampled"],
    ]);
  });

  it("goes on after being told in test mode", async () => {
    const { trajectory } = await play([ANSWER, RUN, ANSWER]);
    expect(trajectory).toMatchObject({ stopReason: "answered", finalSql: COUNT });
    expect(trajectory.messages[3]).toMatchObject({
      origin: "injected",
      trainReason: "guardrail_untested_answer",
    });
  });
});
