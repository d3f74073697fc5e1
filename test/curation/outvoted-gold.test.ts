import { describe, expect, it } from "vitest";
import type { Votes } from "../../core/audit.ts";
import { consensusFinding, ConsensusOptions, outvoted } from "../../curation/outvoted-gold.ts";
import { harbourExample, harbourSubject } from "./check-subject.ts";

const OPTIONS = ConsensusOptions.parse({});
const ANNOTATION = { question: "How many ferries are there?", gold: "SELECT count(*) FROM boat" };
const SCHEMA = harbourSubject(ANNOTATION).database.schema;

function votes(agree: number, ...others: readonly number[]): Votes {
  const ran = others.reduce((sum, count) => sum + count, agree);
  const sql = "SELECT count(*) FROM boat WHERE kind = 'Ferry'";
  return { voters: ran, ran, agree, others: others.map((count) => ({ votes: count, sql })) };
}

describe("outvoted", () => {
  it("grows with the lead of another result", () => {
    const [none, small, large] = [votes(4, 4), votes(2, 5, 1), votes(0, 8)].map((one) =>
      outvoted(one, OPTIONS),
    );
    expect(none).toBeLessThan(0.2);
    expect(small).toBeGreaterThan(0.5);
    expect(large).toBeGreaterThan(0.99);
  });

  it("is less where the samples agree on nothing", () => {
    expect(outvoted(votes(0, 3, 2, 2, 1), OPTIONS)).toBeLessThan(outvoted(votes(0, 6), OPTIONS));
    expect(outvoted(votes(0, 1, 1, 1, 1, 1, 1), OPTIONS)).toBeLessThan(0.2);
  });

  it("says nothing of too few samples, nor of none against", () => {
    expect(outvoted(votes(0, 2), OPTIONS)).toBe(0);
    expect(outvoted(votes(8), OPTIONS)).toBe(0);
  });
});

describe("consensusFinding", () => {
  const find = (question: string, counted: Votes) =>
    consensusFinding(harbourExample({ ...ANNOTATION, question }), counted, {
      options: OPTIONS,
      schema: SCHEMA,
    });

  it("suggests what the samples agree on", () => {
    const found = find(ANNOTATION.question, votes(1, 6));
    expect(found).toMatchObject({ check: "consensus", kind: "outvoted", severity: "error" });
    expect(found?.message).toBe("6 of 7 samples agree on another result, 1 on that of the gold");
    expect(found?.suggestion?.after).toBe("SELECT count(*) FROM boat WHERE kind = 'Ferry'");
  });

  it("suggests nothing where the samples answer another question", () => {
    const found = find("How many owners are there?", votes(0, 7));
    expect(found?.message).toContain("they look for Ferry, of which the question says nothing");
    expect(found?.suggestion).toBeNull();
  });

  it("is none where the gold has its part of the votes", () => {
    expect(find(ANNOTATION.question, votes(5, 2))).toBeNull();
  });
});
