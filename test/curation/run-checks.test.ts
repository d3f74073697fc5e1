import { describe, expect, it } from "vitest";
import { defineCheck, type DoubtKind } from "../../core/check.ts";
import { runChecks, sortFindings } from "../../curation/run-checks.ts";
import { harbourSubject, runOnHarbour } from "./check-subject.ts";

const SUBJECT = harbourSubject({ question: "How many boats?", gold: "SELECT count(*) FROM boat" });
const kind = (confidence: number): DoubtKind => ({
  severity: "warning",
  confidence,
  meaning: "a doubt",
  taxonomy: {},
});

function run(sql: string, maxRows: number) {
  return Promise.resolve(runOnHarbour(sql, maxRows));
}

/** Asks for one more probe with every answer that it gets. */
const CURIOUS = defineCheck({
  id: "curious",
  version: 1,
  title: "asks on",
  kinds: { asked: kind(0.3) },
  probes: (_, answers) =>
    [...Array(answers.size + 1).keys()].map((number) => ({
      name: `p${number}`,
      sql: `SELECT ${number}`,
      maxRows: 1,
    })),
  find: (_, answers) => [
    { kind: "asked", message: [...answers.keys()].join(), evidence: { rows: answers.get("p1")?.rows } },
  ],
});

describe("runChecks", () => {
  it("runs probes in rounds, three at most, each once", async () => {
    const [found] = await runChecks([CURIOUS], SUBJECT, run);
    expect(found).toMatchObject({
      message: "p0,p1,p2",
      evidence: { rows: [[1]] },
      confidence: 0.3,
      sourceId: "7",
    });
  });

  it("has severity and confidence from the kind", async () => {
    const kinds = { sure: kind(0.9), unsure: kind(0.1) };
    const find = () => [
      { kind: "unsure", message: "perhaps", evidence: {} },
      { kind: "sure", message: "surely", evidence: {} },
    ];
    const found = await runChecks(
      [defineCheck({ id: "two", version: 1, title: "t", kinds, find })],
      SUBJECT,
      run,
    );
    expect(found.map(({ message, confidence }) => [message, confidence])).toEqual([
      ["surely", 0.9],
      ["perhaps", 0.1],
    ]);
  });

  it("says which check failed on which example", async () => {
    const find = () => {
      throw new Error("no luck");
    };
    const broken = defineCheck({ id: "broken", version: 1, title: "t", kinds: {}, find });
    await expect(runChecks([broken], SUBJECT, run)).rejects.toMatchObject({
      code: "CHECK_FAILED",
      message: "the check broken failed on 7: no luck",
    });
    const unknown = defineCheck({
      ...broken,
      id: "unknown",
      find: () => [{ kind: "new", message: "m", evidence: {} }],
    });
    await expect(runChecks([unknown], SUBJECT, run)).rejects.toMatchObject({ code: "CHECK_FAILED" });
  });
});

it("findings of one confidence are sorted by check", async () => {
  const named = (id: string) => defineCheck({ ...CURIOUS, id });
  const found = await runChecks([named("b"), named("a")], SUBJECT, run);
  expect(sortFindings(found).map(({ check }) => check)).toEqual(["a", "b"]);
});
