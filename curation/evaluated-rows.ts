import { z } from "zod";
import { ModelName } from "../core/trajectory.ts";

const Count = z.int().nonnegative();
const Share = z.number().nullable();
const Counts = z.record(z.string(), Count);

/** The chance that one of k answers is right, and that all are, estimated without bias and averaged over questions. */
export const PassFigures = z.strictObject({
  metric: z.string(),
  k: z.int().positive(),
  /** Questions with at least k scored answers: the means are over these. */
  questions: Count,
  passAtK: z.number(),
  passHatK: z.number(),
});

/** How right the answer is that the first k candidates elect. */
export const VoteFigures = z.strictObject({
  method: z.enum(["majority", "consensus"]),
  metric: z.string(),
  k: z.int().positive(),
  questions: Count,
  mean: z.number(),
  /** Questions whose candidates were all dropped: they count as wrong. */
  unanswered: Count,
});

/** Different answers among the first k of a question, on the average. */
export const UniqueFigures = z.strictObject({
  k: z.int().positive(),
  questions: Count,
  /** Different texts, white space around them left out; no answer is none. */
  sql: z.number(),
  /** Different results among those that ran. */
  results: z.number(),
});

/** Means over links to schema items, tables and columns alike. */
export const LinkingFigures = z.strictObject({
  n: Count,
  precision: z.number(),
  recall: z.number(),
  f1: z.number(),
  completeRecall: z.number(),
});

/** What wrong answers have wrong, by the rules of `errorReport`. */
export const ErrorFigures = z.strictObject({
  /** The metric that calls them wrong. */
  metric: z.string(),
  wrong: Count,
  /** By the main class: they sum to `wrong`. */
  main: Counts,
  /** By every class that fits. */
  all: Counts,
  signs: Counts,
  /** Main classes by hardness. */
  byHardness: z.record(z.string(), Counts),
});

/** What a model says of wrong answers: of each question the first wrong sample. */
export const JudgedErrorFigures = z.strictObject({
  /** Answers that it was asked about; those whose reply could not be read are `unread`. */
  asked: Count,
  unread: Count,
  /** By the gravest class, and by every class that it named. */
  main: Counts,
  all: Counts,
});

/** How two metrics agree on the same answers, right being score 1. */
export const MetricPair = z.strictObject({
  first: z.string(),
  second: z.string(),
  both: Count,
  onlyFirst: Count,
  onlySecond: Count,
  neither: Count,
});

/** What answers cost, on the average over samples; `null` where no sample says. */
export const EffortFigures = z.strictObject({
  /** `all`, `hardness:easy`, `difficulty:simple`, `turn:1`. */
  group: z.string(),
  samples: Count,
  /** Replies of the model. */
  turns: z.number(),
  toolCalls: z.number(),
  promptTokens: Share,
  completionTokens: Share,
  costMicroUsd: Share,
});

export const ToolFigures = z.strictObject({
  /** `answer` or `linking`: the episode that called it. */
  stage: z.enum(["answer", "linking"]),
  tool: z.string(),
  calls: Count,
  /** Samples that called it at least once, and their share. */
  samples: Count,
  share: z.number(),
});

/** One of MTSQL-R1's five abilities over a group: the mean of the samples that had the occasion. */
export const AbilityFigures = z.strictObject({
  /** As in `EffortFigures`. */
  group: z.string(),
  ability: z.string(),
  n: Count,
  mean: Share,
});

/** Everything that is said of a system beside its accuracy by group. */
export const EvaluatedSystem = z.strictObject({
  name: z.string(),
  model: ModelName,
  setting: z.string(),
  round: Count,
  simulated: z.boolean(),
  questions: Count,
  /** Questions that cannot be judged, by reason: counted apart, never scored. */
  unexecutable: Counts,
  /** Questions without a sample. */
  missing: Count,
  /** The most samples that a question has. */
  runs: Count,
  samples: Count,
  passAtK: z.array(PassFigures),
  votes: z.array(VoteFigures),
  unique: z.array(UniqueFigures),
  /** Of the tables and columns that the answers read. */
  linking: LinkingFigures.nullable(),
  /** Of a schema linker's own answers. */
  linker: LinkingFigures.nullable(),
  errors: ErrorFigures,
  metricPairs: z.array(MetricPair),
  effort: z.array(EffortFigures),
  tools: z.array(ToolFigures),
  /** Samples by the replies they took. */
  turns: Counts,
  stopReasons: Counts,
  executions: Counts,
  /** By group, in the order of the protocol; empty where no sample names its steps. */
  abilities: z.array(AbilityFigures),
});
export type EvaluatedSystem = z.infer<typeof EvaluatedSystem>;

/** One question as a system answered it. */
export const EvaluatedQuestion = z.strictObject({
  exampleId: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  system: z.string(),
  /** `ok`, or why the question cannot be judged. */
  gold: z.string(),
  hardness: z.string().nullable(),
  difficulty: z.string().nullable(),
  /** 1-based place in its dialogue. */
  turn: z.int().positive().nullable(),
  features: z.array(z.string()),
  samples: Count,
  /** Scores in the order of the samples, by metric; `null` for an unscored one. */
  scores: z.record(z.string(), z.array(z.number().nullable())),
  /** The sample that each vote elects; `null` for none. */
  majority: z.int().nullable(),
  consensus: z.int().nullable(),
  /** The first wrong sample: why it is wrong. */
  errors: z.array(z.string()),
  signs: z.array(z.string()),
  /** Whether metrics that compare results disagree on whether the first sample is right. */
  dependsOnMetric: z.boolean(),
});
export type EvaluatedQuestion = z.infer<typeof EvaluatedQuestion>;
