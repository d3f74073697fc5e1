import { describe, expect, it } from "vitest";
import { keyOf } from "../../../core/key.ts";
import { MTSQL_SCHEMAS } from "../../../synth/mtsql-episode.ts";
import { mtsqlForm, mtsqlPrompt, mtsqlTurnsLeftText, refusalText } from "../../../synth/prompts/mtsql-r1.ts";
import mtsql from "../../../synth/scaffolds/mtsql-r1.ts";
import { openingOf } from "../episode-rows.ts";

const RULES = { calls: "text", maxTurns: 5, showsSql: true } as const;
const DIALOGUE = openingOf({ history: [{ question: "How many boats?", sql: "SELECT count(*) FROM boat" }] });

function system(opening: typeof DIALOGUE, rules: Parameters<typeof mtsqlPrompt>[1] = RULES): string {
  return mtsqlPrompt(opening, rules, MTSQL_SCHEMAS)[0]?.rawText ?? "";
}

describe("mtsqlPrompt", () => {
  it("changes only with the version of the scaffold", () => {
    const messages = [
      ...mtsqlPrompt(DIALOGUE, RULES, MTSQL_SCHEMAS),
      ...mtsqlPrompt(openingOf(), { ...RULES, calls: "native", maxTurns: 1 }, MTSQL_SCHEMAS),
    ];
    const told = [
      mtsqlForm("text"),
      mtsqlForm("native"),
      refusalText({ step: "FINALIZE", expected: ["consult"] }),
      mtsqlTurnsLeftText(1),
      mtsqlTurnsLeftText(4),
    ];
    expect(mtsql.version).toBe(1);
    expect(keyOf([messages.map(({ role, rawText }) => [role, rawText]), told])).toBe(
      "ad7104c71ebaec5d2a87db68cee229f1f32d8356929221d683ddb9d1f12a88c4",
    );
  });

  it("names the actions in the order of the rule", () => {
    const text = system(DIALOGUE);
    const places = [
      "- PROPOSE:",
      "EXECUTE comes",
      "- E-VERIFY:",
      "- M-VERIFY:",
      "- SELF-CORRECT:",
      "- FINALIZE:",
    ];
    const found = places.map((place) => text.indexOf(place));
    expect(found).not.toContain(-1);
    expect([...found].sort((left, right) => left - right)).toEqual(found);
    expect(text).toContain("once both checks have passed");
    expect(text).toContain("You have 5 replies in all. The last one must finalize.");
    expect(text).toContain('"name":"exec_sql"');
    expect(text).toContain('"name":"memory_retrieve"');
  });

  it("leaves the memory out on the first question of a dialogue", () => {
    const text = system(openingOf());
    expect(text).toContain("This is the first question of its dialogue");
    expect(text).not.toContain("<memory_check>");
    expect(text).toContain("once the check has passed");
  });

  it("shows the SQL of earlier turns only where the rules say so, and never the gold of the question", () => {
    const shown = JSON.stringify(mtsqlPrompt(DIALOGUE, RULES, []));
    expect(shown).toContain("SQL: SELECT count(*) FROM boat");
    expect(shown).not.toContain("secret");
    expect(JSON.stringify(mtsqlPrompt(DIALOGUE, { ...RULES, showsSql: false }, []))).not.toContain(
      "count(*)",
    );
  });
});

describe("refusalText", () => {
  it("says what came and what was due", () => {
    expect(refusalText({ step: "consult", expected: ["E-VERIFY:pass", "E-VERIFY:fail"] })).toBe(
      "Your reply has a call of memory_retrieve where E-VERIFY (execution_check: pass) or E-VERIFY (execution_check: fail) is due, so nothing of it was done. Begin again from there.",
    );
  });
});
