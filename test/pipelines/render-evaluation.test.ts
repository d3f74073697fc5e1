import { expect, it } from "vitest";
import type { EvaluationDocument } from "../../pipelines/evaluation-document.ts";
import { renderEvaluation } from "../../pipelines/render-evaluation.ts";

const ACCURACY = { metric: "bird-ex", n: 10, unscored: 0, unexecutable: 0, missing: 0, low: 0.2, high: 0.8 };

const DOCUMENT: EvaluationDocument = {
  gradus: 1,
  kind: "evaluation",
  version: 1,
  name: "small",
  datasets: [{ loader: "bird", split: "dev", release: null, limit: null }],
  metrics: [{ id: "bird-ex", version: 1, deviations: [] }],
  systems: [
    {
      name: "agent",
      model: { name: "student", revision: "1" },
      setting: "sql-trail",
      round: 0,
      simulated: true,
      questions: 12,
      unexecutable: { gold_error: 2 },
      missing: 0,
      runs: 2,
      samples: 20,
      accuracy: [
        { ...ACCURACY, group: "all", runs: [0.4, 0.6], mean: 0.5, standardDeviation: 0.1414 },
        { ...ACCURACY, group: "turn:1", runs: [0.5], mean: 0.5, standardDeviation: null },
        { ...ACCURACY, group: "database:x", runs: [0.5], mean: 0.5, standardDeviation: null },
      ],
      official: [],
      judgedErrors: {
        asked: 6,
        unread: 1,
        main: { schema_linking: 5 },
        all: { schema_linking: 5, join_path: 2 },
      },
      passAtK: [
        { metric: "bird-ex", k: 1, questions: 10, passAtK: 0.5, passHatK: 0.5 },
        { metric: "bird-ex", k: 2, questions: 10, passAtK: 0.7, passHatK: 0.3 },
      ],
      votes: [{ method: "majority", metric: "bird-ex", k: 2, questions: 10, mean: 0.6, unanswered: 0 }],
      unique: [{ k: 2, questions: 10, sql: 1.5, results: 1.25 }],
      linking: { n: 20, precision: 0.9, recall: 0.8, f1: 0.85, completeRecall: 0.7 },
      linker: null,
      errors: {
        metric: "bird-ex",
        wrong: 10,
        main: { join_path: 10 },
        all: { join_path: 10, output_shape: 3 },
        signs: { joins_changed: 9, select_changed: 3 },
        byHardness: {},
      },
      metricPairs: [],
      effort: [
        {
          group: "all",
          samples: 20,
          turns: 2.5,
          toolCalls: 1.5,
          promptTokens: 900,
          completionTokens: 70,
          costMicroUsd: 1234,
        },
      ],
      tools: [{ stage: "answer", tool: "execute_sql", calls: 30, samples: 20, share: 1 }],
      turns: { 2: 10, 3: 10 },
      stopReasons: { answered: 19, turn_budget: 1 },
      executions: { ok: 20 },
      abilities: [
        { group: "all", ability: "callsExecute", n: 20, mean: 1 },
        { group: "all", ability: "callsMemory", n: 0, mean: null },
        { group: "turn:1", ability: "callsExecute", n: 5, mean: 0.8 },
        { group: "turn:1", ability: "callsMemory", n: 0, mean: null },
      ],
    },
  ],
  golds: {
    reasons: { ok: 10, gold_error: 2 },
    checked: true,
    unmatched: { "spider-em": 1 },
    empty: 3,
    questions: [],
    undetermined: { golds: 2, findings: { limit_tie: 2 }, questions: [] },
  },
  overlap: {
    training: "round-1",
    trainingQuestions: 5,
    evaluatedQuestions: 12,
    sameQuestionAndDatabase: 1,
    sameQuestion: 1,
    onTrainedDatabase: 4,
    databases: ["ferries"],
    questions: [],
  },
  dependsOnMetric: [{ system: "agent", count: 2, questions: ["1", "7"] }],
  published: [
    {
      dataset: "bird",
      split: "dev",
      system: "S",
      metric: "bird-ex",
      setting: "greedy",
      value: 0.6,
      deviation: 0.007,
      source: "paper",
    },
  ],
};

it("shows each figure of a document, and the groups that are asked for", () => {
  const text = renderEvaluation(DOCUMENT, ["turn"]);
  const narrow = (line: string): string => line.replaceAll(/ +/g, " ").trim();
  const lines = text.split("\n").map(narrow);
  for (const line of [
    "agent: 12 questions; 2 runs; unexecutable: 2 gold_error; simulated",
    "all       10          50.0 ± 14.1",
    "turn:1    10  50.0 (20.0 - 80.0)",
    "pass@k, bird-ex     50.0  70.0",
    "majority, bird-ex      -  60.0",
    "unique SQL             -  1.50",
    "answers              90.0    80.0  85.0             70.0",
    "10 wrong by bird-ex (6 judged by a model, 1 unread) main any judged main any",
    "join path 10 10 0 2",
    "output shape 0 3 0 0",
    "schema linking 0 0 5 5",
    "commonest signs: joins changed 9, select changed 3",
    "all                   20   2.50   1.50     900          70  0.001234",
    "tools: execute_sql 30 calls in 100.0% of samples",
    "ended: answered 19, turn budget 1",
    "calls execute  100.0    80.0",
    "calls memory       -       -",
    "  2 golds cannot be judged: gold error",
    "  1 golds do not match themselves by spider-em: no prediction can",
    "  3 golds return no rows: any answer without rows is right",
    "  2 golds are left open by their data: limit tie 2",
    "  2 verdicts of agent depend on the metric",
    "  1 of 12 questions were trained on (round-1); 4 are asked of one of 1 databases that were",
    "S          greedy   bird-ex  60.0 ± 0.7  paper",
  ]) {
    expect(lines).toContain(narrow(line));
  }
  expect(text).not.toContain("database:x");
});
