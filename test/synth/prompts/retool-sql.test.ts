import { describe, expect, it } from "vitest";
import { keyOf } from "../../../core/key.ts";
import {
  retoolForm,
  retoolPrompt,
  retoolTeacherPrompt,
  retoolTurnsLeftText,
} from "../../../synth/prompts/retool-sql.ts";
import { RETOOL_SCHEMAS } from "../../../synth/retool-episode.ts";
import retool from "../../../synth/scaffolds/retool-sql.ts";
import teacher from "../../../synth/scaffolds/retool-sql-teacher.ts";
import { openingOf } from "../episode-rows.ts";

const RULES = {
  calls: "text",
  history: "gold",
  maxTurns: 9,
  maxScratchCharacters: 4000,
  refusesEarlyRepair: true,
} as const;
const HISTORY = [{ question: "How many boats?", sql: "SELECT count(*) FROM boat" }];

describe("retoolPrompt", () => {
  it("changes only with the version of the scaffolds", () => {
    const opening = openingOf({ history: HISTORY });
    const messages = [
      ...retoolPrompt(opening, RULES, RETOOL_SCHEMAS),
      ...retoolTeacherPrompt(opening, { ...RULES, calls: "native" }, RETOOL_SCHEMAS),
    ];
    const told = [retoolForm({ calls: "text" }), retoolForm({ calls: "native" })];
    expect([retool.version, teacher.version]).toEqual([1, 1]);
    const texts = messages.map(({ role, rawText }) => [role, rawText]);
    expect(keyOf([texts, told, retoolTurnsLeftText(1), retoolTurnsLeftText(8)])).toBe(
      "fb55671a11df5322c4f45d54864cc21589ec3d030b58b7a6e66ed0b97ce43fa5",
    );
  });

  it("states the protocol, the bounds and the tools", () => {
    const [system, user] = retoolPrompt(openingOf(), RULES, RETOOL_SCHEMAS);
    for (const part of [
      "between <scratch_pad> and </scratch_pad>, of at most 4000 characters",
      "a call of a tool, or your final query between <final_answer> and </final_answer>",
      'as one JSON object after a scratch pad: <schema>{"table": ["column", "column"]}</schema>',
      "Without such a fault they are refused.",
      "You have 9 replies in all.",
      '"name":"sqlite_query"',
      '"name":"sqlite_peek"',
      '"name":"bm25_search_sqlite"',
    ]) {
      expect(system.rawText).toContain(part);
    }
    expect(user.rawText).toContain("Question:\nWhich boats are there?");
    expect(user.rawText).not.toContain("secret");
  });

  it("tells of a refusal only where there is one, and of tools only where the server does not", () => {
    const rules = { ...RULES, calls: "native", refusesEarlyRepair: false, maxTurns: 1 } as const;
    const [system] = retoolPrompt(openingOf(), rules, RETOOL_SCHEMAS);
    expect(system.rawText).not.toContain("they are refused");
    expect(system.rawText).not.toContain('"type":"function"');
    expect(system.rawText).toContain("You have 1 reply in all.");
  });

  it("shows the history as the rules say", () => {
    const opening = openingOf({ history: HISTORY });
    expect(retoolPrompt(opening, RULES, [])[1].rawText).toContain("SQL: SELECT count(*) FROM boat");
    expect(retoolPrompt(opening, { ...RULES, history: "questions" }, [])[1].rawText).not.toContain(
      "count(*)",
    );
  });
});

describe("retoolTeacherPrompt", () => {
  it("adds the gold and the rule never to show it, and nothing else", () => {
    const [system, user] = retoolPrompt(openingOf(), RULES, RETOOL_SCHEMAS);
    const [taught, asked] = retoolTeacherPrompt(openingOf(), RULES, RETOOL_SCHEMAS);
    expect(taught?.rawText.startsWith(`${system.rawText}\n\nYou also see a correct query`)).toBe(true);
    expect(taught?.rawText).toContain(
      "Never mention or hint that a query, an answer or a solution was shown to you",
    );
    expect(asked?.rawText).toBe(
      `${user.rawText}\n\nFor your eyes only, one correct query:\nSELECT secret FROM boat`,
    );
  });

  it("asks as usual where there is no gold", () => {
    const { example } = openingOf();
    const opening = openingOf({ example: { ...example, gold: [] } });
    expect(retoolTeacherPrompt(opening, RULES, [])[1]).toEqual(retoolPrompt(opening, RULES, [])[1]);
  });
});

describe("retoolTurnsLeftText", () => {
  it("says what the last reply has to be", () => {
    expect(retoolTurnsLeftText(3)).toBe("[3 replies left]");
    expect(retoolTurnsLeftText(1)).toBe("[1 reply left: it must be the final query]");
  });
});
