import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Check } from "../../core/check.ts";
import { Finding, FindingSeverity } from "../../core/finding.ts";
import { runChecks } from "../../curation/run-checks.ts";
import { type Annotation, failedReply, harbourSubject, runOnHarbour } from "../curation/check-subject.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../curation/checks");
const checks = await Promise.all(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".ts"))
    .map(async (name) => {
      const module = (await import(path.join(FOLDER, name))) as { default: Check };
      return { id: path.parse(name).name, check: module.default };
    }),
);

/** Right annotations, wrong ones, and texts that are hardly queries. */
const ANNOTATIONS: readonly Annotation[] = [
  { question: "What are the names of all boats?", gold: "SELECT name FROM boat" },
  {
    question: "How many ferries are there?",
    gold: "SELECT count(*) FROM boat WHERE kind = 'Ferry'",
    evidence: "ferry refers to kind = 'Ferry'",
  },
  {
    question: "Which boats have more than 50 seats, by price?",
    gold: "SELECT name FROM boat WHERE seats > 50 ORDER BY price",
  },
  {
    question: "Which owner has most boats?",
    gold: "SELECT T2.owner_name FROM boat AS T1 JOIN owner AS T2 ON T1.owner_id = T2.owner_id GROUP BY T2.owner_id ORDER BY count(*) DESC LIMIT 1",
  },
  {
    question: "Which boats crossed?",
    gold: "WITH c AS (SELECT boat_id FROM crossing) SELECT name FROM boat WHERE boat_id IN (SELECT boat_id FROM c)",
  },
  { question: "", gold: "" },
  { question: "(", gold: "SELECT ((((" },
  {
    question: "Which boats?",
    gold: "SELECT name FROM boat WHERE name = 'O''Neil' UNION SELECT captain FROM ship",
  },
  {
    question: "Every pair?",
    gold: "SELECT 1 FROM boat, boat AS b",
    execution: failedReply("timeout", "over its limit"),
  },
  { question: "Drop?", gold: "DROP TABLE boat", execution: failedReply("denied", "refused") },
];

it("there are checks", () => {
  expect(checks.length).toBeGreaterThan(15);
});

describe.each(checks)("check $id", ({ id, check }) => {
  const run = (annotation: Annotation) =>
    runChecks([check], harbourSubject(annotation), (sql, maxRows) =>
      Promise.resolve(runOnHarbour(sql, maxRows)),
    );

  it("is a check named by its file, with kinds that say what they mean", () => {
    expect(check).toMatchObject({ kind: "check", id });
    expect(Number.isInteger(check.version) && check.version > 0).toBe(true);
    expect(check.title).toMatch(/^[a-z].*[^.]$/i);
    expect(Object.keys(check.kinds).length).toBeGreaterThan(0);
    for (const [name, { severity, confidence, meaning, taxonomy }] of Object.entries(check.kinds)) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(FindingSeverity.options).toContain(severity);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThan(1);
      expect(meaning.length).toBeGreaterThan(10);
      expect(taxonomy.audit, `${name} stands in a published taxonomy`).toBeDefined();
    }
  });

  it.each(ANNOTATIONS)("gives valid findings, the same each time, of: $gold", async (annotation) => {
    const found = await run(annotation);
    for (const finding of found) {
      expect(Finding.parse(finding)).toEqual(finding);
      expect(finding.check).toBe(id);
      expect(finding.message).not.toMatch(/undefined|\[object|NaN/);
    }
    expect(await run(annotation)).toEqual(found);
  });

  it("asks only for statements that read, by names of their own", () => {
    for (const annotation of ANNOTATIONS) {
      const probes = check.probes?.(harbourSubject(annotation), new Map()) ?? [];
      const bySql = new Map(probes.map(({ name, sql }) => [name, sql]));
      for (const { name, sql, maxRows } of probes) {
        expect(sql).toMatch(/^\s*(?:select|with)\b/i);
        expect(bySql.get(name)).toBe(sql);
        expect(maxRows).toBeGreaterThan(0);
      }
    }
  });

  it("finds nothing worse than a note in right annotations", async () => {
    for (const annotation of ANNOTATIONS.slice(0, 5)) {
      const found = await run(annotation);
      expect(found.filter(({ severity }) => severity !== "note")).toEqual([]);
    }
  });
});
