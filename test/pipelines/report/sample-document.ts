import type { Message, Trajectory } from "../../../core/trajectory.ts";
import type { ReportDocument, ShownRollout } from "../../../pipelines/report/report-document.ts";

/** Text that would be markup where it is not escaped, and that hides what follows it. */
export const HOSTILE = `<script>alert("1")</script>\u202E & 'x'`;

/** A message of a rollout. */
export function messageOf(role: Message["role"], origin: Message["origin"], rawText: string): Message {
  const isSampled = origin === "sampled";
  return {
    role,
    origin,
    rawText,
    rawExact: false,
    reasoning: null,
    content: rawText,
    toolCalls: [],
    toolCallId: null,
    train: isSampled,
    weight: isSampled ? 1 : 0,
    trainReason: "",
  };
}

/** A trajectory with an id of its own. */
export function trajectoryOf(id: string, exampleId: string, messages: Message[] = []): Trajectory {
  return {
    id: id.padEnd(32, "0"),
    exampleId: exampleId.padEnd(32, "0"),
    sampleIndex: 0,
    round: 0,
    model: { name: "student", revision: "1" },
    scaffold: { id: "sql-trail", version: 1, options: {} },
    source: "sampled",
    pastThoughts: "kept",
    messages,
    finalSql: "SELECT 1",
    stopReason: "answered",
    usage: { promptTokens: 10, completionTokens: 5, costMicroUsd: null },
    seed: 1,
  };
}

/** A wrong rollout whose every text is hostile. */
export const HOSTILE_ROLLOUT: ShownRollout = {
  kind: "wrong",
  system: HOSTILE,
  question: HOSTILE,
  evidence: HOSTILE,
  databaseId: HOSTILE,
  dataset: HOSTILE,
  sourceId: HOSTILE,
  hardness: HOSTILE,
  gold: HOSTILE,
  verdicts: { "bird-ex": 0, [HOSTILE]: "not_run" },
  trajectory: {
    ...trajectoryOf("a1", "e1", [
      messageOf("system", "given", HOSTILE),
      {
        ...messageOf("assistant", "sampled", HOSTILE),
        reasoning: HOSTILE,
        toolCalls: [{ id: "c", name: HOSTILE, argumentsRaw: HOSTILE, arguments: { sql: HOSTILE } }],
      },
      { ...messageOf("tool", "environment", HOSTILE), toolCallId: "c" },
      messageOf("user", "injected", HOSTILE),
    ]),
    finalSql: HOSTILE,
  },
};

/** A small report with something in every part; figures written by hand. */
export const DOCUMENT: ReportDocument = {
  gradus: 1,
  kind: "report",
  run: {
    name: HOSTILE,
    seed: 7,
    models: [{ role: "student", name: "tiny", revision: "2", provider: "openai" }],
    datasets: [{ loader: "spider", split: "train", use: "training" }],
    steps: ["load", "score"],
    recipe: { name: HOSTILE },
  },
  funnel: [
    { name: "questions", count: 4, depth: 0, share: null },
    { name: "gold_error", count: 1, depth: 1, share: 0.25 },
    { name: "kept", count: 3, depth: 1, share: 0.75 },
  ],
  sets: [
    {
      name: "questions",
      metric: "bird-ex",
      questions: 4,
      answers: 8,
      simulated: 2,
      simulatedShare: 0.25,
      systems: [
        { label: HOSTILE, model: { name: "tiny", revision: "2" }, setting: "sql-trail", round: 0 },
        { label: "b", model: { name: "tiny", revision: "2" }, setting: "b", round: 0 },
      ],
      accuracy: [HOSTILE, "b"].map((system, place) => ({
        system,
        metric: "bird-ex",
        group: "all",
        questions: 4,
        answers: 4,
        mean: 0.5 + place / 4,
        low: 0.2,
        high: 0.9,
        unscored: 0,
        unexecutable: 1,
      })),
      cost: [
        {
          system: HOSTILE,
          answers: 4,
          promptTokens: 4000,
          completionTokens: 400,
          costUsd: null,
          tokensPerAnswer: 1100,
          costUsdPerAnswer: null,
          repliesPerAnswer: 2.5,
          toolCallsPerAnswer: 1.5,
          mean: 0.5,
          low: 0.2,
          high: 0.9,
          stopReasons: [{ reason: "no_answer", count: 4 }],
        },
      ],
    },
  ],
  passRates: {
    metric: "bird-ex",
    systems: [
      {
        system: HOSTILE,
        bins: [
          { label: "0/1", count: 1 },
          { label: "1/1", count: 2 },
        ],
        stopped: 1,
        unrated: 0,
      },
    ],
    classes: ["never", "always"],
    byHardness: [{ hardness: HOSTILE, total: 3, counts: [1, 2] }],
  },
  curriculum: {
    id: "easy-to-hard",
    levels: [
      {
        level: 0,
        questions: 3,
        train: 2,
        validation: 1,
        meanRate: 0.625,
        hardness: [
          { hardness: "easy", count: 2 },
          { hardness: "unknown", count: 1 },
        ],
      },
    ],
  },
  rounds: {
    coverage: [{ round: 1, examples: 4, covered: 3, trajectories: 9 }],
    movement: [
      {
        from: 0,
        to: 1,
        classes: ["never right", "sometimes right", "always right"],
        counts: [
          [1, 0, 0],
          [0, 1, 1],
          [0, 0, 1],
        ],
      },
    ],
  },
  rewards: [
    {
      step: "rewards",
      port: "rewards",
      count: 2,
      mean: 0.5,
      min: 0,
      max: 1,
      bins: [
        { from: 0, to: 0.5, count: 1 },
        { from: 0.5, to: 1, count: 1 },
      ],
      terms: [{ name: HOSTILE, count: 2, mean: 0.5, min: 0, max: 1 }],
    },
  ],
  evaluation: [{ title: HOSTILE, columns: [HOSTILE, "value"], rows: [[HOSTILE, 12.5]], more: 3 }],
  rollouts: [HOSTILE_ROLLOUT],
};
