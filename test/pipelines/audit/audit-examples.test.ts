import { expect, it } from "vitest";
import type { AuditedExample } from "../../../core/audit.ts";
import type { Example } from "../../../core/example.ts";
import type { Judge } from "../../../core/judge.ts";
import type { SqlRunner } from "../../../core/sql-runner.ts";
import { scored } from "../../../core/verdict.ts";
import goldEmpty from "../../../curation/checks/gold-empty.ts";
import sameQuestion from "../../../curation/checks/same-question.ts";
import { auditExamples, AuditOptions, type AuditRequest } from "../../../pipelines/audit/audit-examples.ts";
import { harbourExample, harbourSubject, runOnHarbour } from "../../curation/check-subject.ts";

const { database } = harbourSubject({ question: "", gold: "SELECT 1" });
const RUNNER: SqlRunner = {
  query: ({ sql, maxShownRows }) => Promise.resolve(runOnHarbour(sql, maxShownRows)),
};
const JUDGE: Judge = {
  judge: ({ gold, predictions, metrics }) => {
    const digest = runOnHarbour(gold[0] ?? "").execution.digest;
    const answers = predictions.map((sql) => {
      const { execution } = runOnHarbour(sql);
      const verdict = scored(execution.digest === digest ? 1 : 0);
      return { execution, verdicts: Object.fromEntries(metrics.map((id) => [id, verdict])) };
    });
    return Promise.resolve({ gold: [], answers });
  },
};

async function audited(
  examples: readonly Example[],
  changes: Partial<AuditRequest> = {},
): Promise<AuditedExample[]> {
  const rows: AuditedExample[] = [];
  const request: AuditRequest = {
    examples,
    databases: new Map([["harbour", database]]),
    answers: new Map(),
    checks: [goldEmpty, sameQuestion],
    options: AuditOptions.parse({}),
    runner: RUNNER,
    judge: JUDGE,
    concurrency: 2,
    signal: new AbortController().signal,
    progress: () => undefined,
    ...changes,
  };
  for await (const row of auditExamples(request)) rows.push(row);
  return rows;
}

const example = (sourceId: string, question: string, gold: string): Example =>
  harbourExample({ sourceId, question, gold });
const EXAMPLES = [
  example("1", "How many boats?", "SELECT count(*) FROM boat"),
  example("2", "How many boats!", "SELECT 0"),
  example("3", "Which canoes?", "SELECT name FROM boat WHERE kind = 'Canoe'"),
];

it("gives every example in order, with its findings and whether it is flagged", async () => {
  const rows = await audited(EXAMPLES);
  expect(
    rows.map(({ sourceId, flagged, findings }) => [sourceId, flagged, findings.map(({ kind }) => kind)]),
  ).toEqual([
    ["1", false, ["other_answer"]],
    ["2", true, ["zero", "other_answer"]],
    ["3", true, ["no_rows"]],
  ]);
  expect(rows.every(({ votes }) => votes === null)).toBe(true);
});

it("samples vote", async () => {
  const [first] = EXAMPLES as [Example];
  const answers = new Map([[first.id, ["SELECT 9", "SELECT 9", "SELECT 9", "SELECT 4", null]]]);
  const [row] = await audited([first], { answers });
  expect(row?.votes).toEqual({ voters: 4, ran: 4, agree: 1, others: [{ votes: 3, sql: "SELECT 9" }] });
  expect(row?.findings.map(({ check }) => check)).toEqual(["consensus"]);
  expect(row?.flagged).toBe(true);
});

it("says why an example is not audited", async () => {
  const lost = { ...example("4", "Lost?", "SELECT 1"), databaseId: "lost" };
  const bare = { ...example("5", "Bare?", "SELECT 1"), gold: [] };
  const broken = { ...example("6", "Broken?", "SELECT 1"), databaseId: "broken" };
  const databases = new Map([
    ["harbour", database],
    ["broken", { ...database, status: "corrupt" as const }],
  ]);
  const rows = await audited([lost, bare, broken], { databases });
  expect(rows.map(({ status }) => status)).toEqual(["database_missing", "no_gold", "database_unusable"]);
});

it("audits only those that are asked for, beside all others", async () => {
  const rows = await audited(EXAMPLES, { only: ({ sourceId }) => sourceId === "1" });
  expect(rows.map(({ sourceId, findings }) => [sourceId, findings.length])).toEqual([["1", 1]]);
});

it("asks a judge of annotations too", async () => {
  const judge = () => Promise.resolve([{ ...FOUND, exampleId: EXAMPLES[0]?.id ?? "" }]);
  const annotationJudge = { judge, close: () => Promise.resolve() };
  const [row] = await audited(EXAMPLES.slice(0, 1), { annotationJudge });
  expect(row?.findings).toMatchObject([{ check: "llm-judge", confidence: 0.8 }]);
  expect(row?.flagged).toBe(true);
});

const FOUND = {
  dataset: "harbour",
  split: "train",
  sourceId: "1",
  check: "llm-judge",
  kind: "judged_wrong",
  severity: "error",
  confidence: 0.8,
  message: "wrong",
  evidence: {},
  suggestion: null,
} as const;
