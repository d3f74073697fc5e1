import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/key.ts";
import type { ShownTurn } from "../../../core/tool.ts";
import { sameQuery } from "../../../synth/same-query.ts";
import mtsql from "../../../synth/scaffolds/mtsql-r1.ts";
import type { KnownQuestion } from "../../../synth/simulated/question-index.ts";
import { failedReply, tableReply } from "../../fakes/sql-runner.ts";
import { example, FERRIES } from "../synth-rows.ts";
import { simulatedEpisodes } from "./simulated-episode.ts";

const GOLD =
  "SELECT name FROM boat WHERE seats > 20 AND name = 'Tern' GROUP BY name ORDER BY count(*) DESC LIMIT 3";
const QUESTION: KnownQuestion = {
  example: example("1", { question: "Which of them are big?", gold: [GOLD] }),
  schema: FERRIES.schema,
};
const HISTORY: ShownTurn[] = [{ question: "Which boats are there?", sql: "SELECT name FROM boat" }];
const ROWS = tableReply(["name"], [["Tern"], ["Gull"]]);
const ERROR = failedReply("error", "no such column: nme");

async function episodes(
  parts: {
    readonly competence?: number;
    readonly history?: ShownTurn[];
    readonly result?: typeof ROWS;
    readonly options?: Record<string, Json>;
    readonly id?: string;
  },
  count = 40,
) {
  const { competence = 1, history = HISTORY, result = ROWS, options = {}, id } = parts;
  const question = id === undefined ? QUESTION : { ...QUESTION, example: { ...QUESTION.example, id } };
  return simulatedEpisodes({ scaffold: mtsql, options, question, history, result, competence }, count);
}

/** The steps of the accepted replies. */
function stepsOf({ messages }: Awaited<ReturnType<typeof episodes>>[number]): string {
  return messages.flatMap(({ steps }) => steps ?? []).join(" ");
}

describe("mtsqlReply", () => {
  it.each<[string, Record<string, Json>]>([
    ["in the text", {}],
    ["through the interface", { calls: "native" }],
  ])("follows the rule %s, and ends in the gold where it always does", async (_, options) => {
    for (const result of [ROWS, ERROR]) {
      for (const trajectory of await episodes({ options, result })) {
        expect(trajectory.stopReason).toBe("answered");
        expect(sameQuery(trajectory.finalSql ?? "", GOLD)).toBe(true);
        expect(stepsOf(trajectory)).toMatch(/^PROPOSE EXECUTE .*E-VERIFY:pass M-VERIFY:pass FINALIZE$/);
        expect(trajectory.messages.filter(({ origin }) => origin === "injected")).toEqual([]);
      }
    }
  });

  it("corrects after either check", async () => {
    const played = await episodes({ competence: 0.75, id: "c".repeat(32) }, 150);
    const all = played.map(stepsOf).join("\n");
    expect(all).toContain("E-VERIFY:fail SELF-CORRECT EXECUTE");
    expect(all).toContain("M-VERIFY:fail SELF-CORRECT EXECUTE");
  });

  it("consults no memory on the first question of a dialogue", async () => {
    for (const trajectory of await episodes({ history: [] })) {
      expect(stepsOf(trajectory)).toMatch(/^PROPOSE EXECUTE .*E-VERIFY:pass FINALIZE$/);
      expect(
        trajectory.messages.some(({ rawText }) => rawText.includes('"memory_retrieve","arguments"')),
      ).toBe(false);
    }
  });

  it("breaks the form now and then where it is not sure, and never ends in the gold where it is wrong", async () => {
    const played = await episodes({ competence: 0.01 }, 150);
    const told = played.flatMap(({ messages }) => messages.filter(({ origin }) => origin === "injected"));
    expect(told.length).toBeGreaterThan(5);
    const answers = played.flatMap(({ finalSql }) => finalSql ?? []);
    expect(answers.length).toBeGreaterThan(80);
    expect(answers.filter((sql) => sameQuery(sql, GOLD)).length).toBeLessThan(10);
  });
});
