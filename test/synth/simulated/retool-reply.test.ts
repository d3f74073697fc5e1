import { describe, expect, it } from "vitest";
import { sameQuery } from "../../../synth/same-query.ts";
import retool from "../../../synth/scaffolds/retool-sql.ts";
import teacher from "../../../synth/scaffolds/retool-sql-teacher.ts";
import type { KnownQuestion } from "../../../synth/simulated/question-index.ts";
import { failedReply, tableReply } from "../../fakes/sql-runner.ts";
import { example, FERRIES } from "../synth-rows.ts";
import { replies, simulatedEpisodes } from "./simulated-episode.ts";

const GOLD =
  "SELECT name FROM boat WHERE seats > 20 AND name = 'Tern' GROUP BY name ORDER BY count(*) DESC LIMIT 3";
const QUESTION: KnownQuestion = {
  example: example("1", { question: "Which boats named Tern are big?", gold: [GOLD] }),
  schema: FERRIES.schema,
};
const ROWS = tableReply(["name"], [["Tern"], ["Gull"]]);
const ERROR = failedReply("error", "no such column: nme");
const WELL =
  /^<scratch_pad>\n[^<]+\n<\/scratch_pad>\n(?:<tool_call>|<schema>\{.+\}<\/schema>\n<final_answer>\n)/;

describe("retoolReply", () => {
  it.each([
    ["in the text", {}],
    ["through the interface", { calls: "native" }],
  ])("keeps to the protocol %s, and ends in the gold where it always does", async (_, options) => {
    for (const result of [ROWS, ERROR]) {
      const played = await simulatedEpisodes(
        { scaffold: retool, options, question: QUESTION, result, competence: 1 },
        30,
      );
      for (const trajectory of played) {
        expect(trajectory.stopReason).toBe("answered");
        expect(sameQuery(trajectory.finalSql ?? "", GOLD)).toBe(true);
        for (const text of replies(trajectory)) expect(text).toMatch(WELL);
        expect(trajectory.messages.filter(({ origin }) => origin === "injected")).toEqual([]);
      }
    }
  });

  it("looks into values after a fault alone", async () => {
    const looks = async (result: typeof ROWS) => {
      const question = { ...QUESTION, example: { ...QUESTION.example, id: "b".repeat(32) } };
      const played = await simulatedEpisodes({ scaffold: retool, question, result, competence: 0.5 }, 60);
      return played.flatMap(replies).filter((text) => /sqlite_peek|bm25_search_sqlite/.test(text)).length;
    };
    expect(await looks(ROWS)).toBe(0);
    expect(await looks(ERROR)).toBeGreaterThan(5);
  });

  it("breaks the form now and then where it is not sure, and recovers", async () => {
    const played = await simulatedEpisodes(
      { scaffold: retool, question: QUESTION, result: ROWS, competence: 0.3 },
      120,
    );
    const told = played.flatMap(({ messages }) => messages.filter(({ origin }) => origin === "injected"));
    expect(told.length).toBeGreaterThan(5);
    expect(new Set(told.map(({ trainReason }) => trainReason)).size).toBeGreaterThan(2);
    const answered = played.filter(({ stopReason }) => stopReason === "answered");
    expect(answered.length).toBeGreaterThan(90);
    expect(played.some(({ stopReason }) => stopReason === "length")).toBe(true);
  });

  it("is the teacher's protocol too", async () => {
    const played = await simulatedEpisodes(
      { scaffold: teacher, question: QUESTION, result: ROWS, competence: 1 },
      5,
    );
    for (const { stopReason, finalSql } of played) {
      expect(stopReason).toBe("answered");
      expect(sameQuery(finalSql ?? "", GOLD)).toBe(true);
    }
  });
});
