import { describe, expect, it } from "vitest";
import { keyOf } from "../../../core/key.ts";
import {
  DUALSQL_ACTION,
  dualSqlForm,
  dualSqlPrompt,
  type DualSqlRules,
} from "../../../synth/prompts/dualsql.ts";
import generator from "../../../synth/scaffolds/dualsql-generator.ts";
import linker from "../../../synth/scaffolds/dualsql-linker.ts";
import sql from "../../../synth/scaffolds/dualsql-sql.ts";
import { openingOf } from "../episode-rows.ts";

const RULES: DualSqlRules = { calls: "text", maxTurns: 5, mustTest: true };
const TOOL = {
  name: "execute_sql",
  description: "Runs.",
  parameters: { type: "object", properties: { sql: { type: "string" } }, required: ["sql"] },
};
const SAID = { rules: RULES, tools: [TOOL] };
const TOLD = `{"type":"function","function":${JSON.stringify(TOOL)}}`;

describe("dualSqlPrompt", () => {
  it("changes only with the versions of the scaffolds", () => {
    const opening = openingOf({ history: [{ question: "How many boats?", sql: null }] });
    const texts = (["linker", "generator"] as const).flatMap((agent) => [
      ...dualSqlPrompt(agent, opening, SAID),
      ...dualSqlPrompt(
        agent,
        { ...opening, links: [] },
        { rules: { ...RULES, calls: "native" }, tools: [TOOL] },
      ),
    ]);
    expect([linker.version, generator.version, sql.version]).toEqual([1, 1, 1]);
    expect(keyOf(texts.map(({ role, rawText }) => [role, rawText]))).toBe(
      "e35c94a9e7b434da32fb7f4c4101ec7b93bf61d4f3f05de980dfb04c4fd9e215",
    );
  });

  it("tells both agents of thought, summary, one action and where results stand", () => {
    for (const agent of ["linker", "generator"] as const) {
      const [system, user] = dualSqlPrompt(agent, openingOf(), SAID);
      const text = system?.rawText ?? "";
      expect(system).toMatchObject({ role: "system", origin: "given", train: false });
      expect(text).toContain("Your thoughts, between <think> and </think>. They must not be empty.");
      expect(text).toContain("A sentence or two that sum them up");
      expect(text).toContain(`${DUALSQL_ACTION}: a call of a tool, or your answer`);
      expect(text).toContain('<tool_call> and </tool_call>: {"name": "…", "arguments": {…}}');
      expect(text).toContain("<tool_response> and </tool_response>");
      expect(text).toContain("You have 5 replies in all.");
      expect(text.endsWith(`\nTools:\n${TOLD}`)).toBe(true);
      expect(user?.rawText).toContain("Question:\nWhich boats are there?");
    }
  });

  it("asks the linker for coverage first, and the generator for a tested query of what was asked", () => {
    const text = (agent: "linker" | "generator") => dualSqlPrompt(agent, openingOf(), SAID)[0]?.rawText ?? "";
    expect(text("linker")).toContain("```json");
    expect(text("linker")).toContain("What you leave out is lost");
    expect(text("linker")).toContain("what is too much misleads");
    expect(text("generator")).toContain("```sql");
    expect(text("generator")).toContain("Run your query with execute_sql before you give it");
    expect(text("generator")).toContain("no further column");
    expect(text("generator")).not.toContain("narrowed");
    const linked = dualSqlPrompt("generator", openingOf({ links: [] }), SAID)[0]?.rawText;
    expect(linked).toContain("The schema below was narrowed");
  });

  it("leaves calls to the server's interface, and tools out where there are none", () => {
    const native = dualSqlPrompt("generator", openingOf(), {
      rules: { ...RULES, calls: "native" },
      tools: [TOOL],
    });
    expect(native[0]?.rawText).not.toContain("<tool_call>");
    expect(native[0]?.rawText).not.toContain(TOLD);
    const none = dualSqlPrompt("generator", openingOf(), {
      rules: { ...RULES, maxTurns: 1, mustTest: false },
      tools: [],
    });
    expect(none[0]?.rawText).not.toMatch(/tool|execute_sql/);
    expect(none[0]?.rawText).toContain(`${DUALSQL_ACTION}: your answer. The answer is a block`);
    expect(none[0]?.rawText).toContain("You have 1 reply in all.");
  });

  it("shows the SQL of earlier turns where the opening has it", () => {
    const history = [{ question: "How many?", sql: "SELECT count(*) FROM boat" }];
    const shown = dualSqlPrompt("generator", openingOf({ history }), SAID)[1]?.rawText;
    expect(shown).toContain("1. How many?\n   SQL: SELECT count(*) FROM boat");
    const hidden = dualSqlPrompt(
      "generator",
      openingOf({ history: [{ question: "How many?", sql: null }] }),
      SAID,
    );
    expect(hidden[1]?.rawText).not.toContain("SELECT");
  });
});

it("tells each agent of its own block", () => {
  expect(dualSqlForm("linker")).toContain("opens with ```json");
  expect(dualSqlForm("generator")).toContain("opens with ```sql");
});
