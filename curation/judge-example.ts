import { type Database, isReadable } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import type { Example } from "../core/example.ts";
import type { Execution, ExecutionLimits, ExecutionStatus } from "../core/execution.ts";
import type { Judge, JudgedAnswer, JudgeReply } from "../core/judge.ts";
import type { Label } from "../core/metric.ts";
import type { GoldRow, ScoredSample } from "../core/rows.ts";
import { type LabelVerdict, scored, unscored, type Verdict } from "../core/verdict.ts";

/** An answer, and the part of its scored sample that is known before it is judged. */
export interface AskedAnswer {
  readonly finalSql: string | null;
  readonly sample: Omit<ScoredSample, "execution" | "verdicts">;
}

/** An example with its answers; `done` of `total` for progress. */
export interface ExampleToJudge {
  readonly example: Example;
  readonly answers: readonly AskedAnswer[];
  readonly done: number;
  readonly total: number;
}

/** What judging an example gave; `samples` in the order of its answers. */
export interface JudgedExample extends Pick<ExampleToJudge, "done" | "total"> {
  readonly gold: GoldRow;
  readonly samples: readonly ScoredSample[];
}

export interface JudgeExampleServices {
  readonly judge: Judge;
  /** `undefined` when the dataset's databases have no such row. */
  readonly database: Database | undefined;
  readonly metrics: readonly string[];
  readonly labels: readonly Label[];
  readonly goldLimits: ExecutionLimits;
  readonly predictionLimits: ExecutionLimits;
}

/** Why no answer of an example can be scored. */
interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

const GOLD_REASONS: Readonly<Partial<Record<ExecutionStatus, string>>> = {
  error: "gold_error",
  denied: "gold_error",
  timeout: "gold_timeout",
  too_large: "gold_too_large",
  crashed: "gold_crashed",
};

/**
 * Runs an example's golds and its distinct answers in one call of the judge and spreads the verdicts over
 * its samples. Where nothing can run, metrics that read no rows still judge; the judge says so of the others.
 * It is not called for an example without gold, or one whose database nothing describes.
 * @throws JUDGE_REPLY_INCOMPLETE for a reply that leaves out an execution or a verdict, and what the judge throws.
 */
export async function judgeExample(
  asked: ExampleToJudge,
  services: JudgeExampleServices,
): Promise<JudgedExample> {
  const { example, answers, done, total } = asked;
  const { database, metrics, goldLimits, predictionLimits } = services;
  const row = { exampleId: example.id, databaseId: example.databaseId, labels: labelsOf(example, services) };
  const unreadable = databaseObstacle(example, database);
  const obstacle = unreadable ?? goldObstacle(example);
  const executions = unreadable === undefined ? [] : null;
  if (database === undefined || example.gold.length === 0) {
    const samples = answers.map((answer) => obstructed(answer, metrics, obstacle as Obstacle));
    return { gold: { ...row, executions, ...(obstacle as Obstacle) }, samples, done, total };
  }
  const predictions = [...new Set(answers.map((answer) => answer.finalSql).filter((sql) => sql !== null))];
  const request = { database, gold: example.gold, predictions, metrics, goldLimits, predictionLimits };
  const reply = await services.judge.judge(request);
  checkReply(example, reply, predictions.length, metrics);
  const judged = new Map(predictions.map((sql, index) => [sql, reply.answers[index]]));
  const failure = unreadable ?? failureOf(reply.gold);
  const samples = answers.map((answer) => {
    if (answer.finalSql !== null) return sampleOf(answer, judged.get(answer.finalSql), metrics, unreadable);
    return failure === undefined ? unanswered(answer, metrics) : obstructed(answer, metrics, failure);
  });
  const gold = { ...row, executions: executions === null ? null : [...reply.gold], ...(failure ?? RAN) };
  return { gold, samples, done, total };
}

const RAN: Obstacle = { reason: "ok", message: "" };

function databaseObstacle(example: Example, database: Database | undefined): Obstacle | undefined {
  if (database === undefined) return noDatabase(example);
  if (isReadable(database)) return undefined;
  const reason = database.status === "missing" ? "database_missing" : "database_unreadable";
  return { reason, message: database.message };
}

function noDatabase(example: Example): Obstacle {
  return { reason: "database_missing", message: `the dataset has no database "${example.databaseId}"` };
}

function goldObstacle(example: Example): Obstacle | undefined {
  return example.gold.length > 0
    ? undefined
    : { reason: "no_gold", message: "the dataset gives no gold SQL for this question" };
}

/** The first gold's failure, when no gold ran to its end. */
function failureOf(golds: readonly Execution[]): Obstacle | undefined {
  const [first] = golds;
  if (first === undefined || golds.some((gold) => GOLD_REASONS[gold.status] === undefined)) return undefined;
  return { reason: GOLD_REASONS[first.status] ?? "gold_error", message: first.message };
}

function sampleOf(
  answer: AskedAnswer,
  judged: JudgedAnswer | undefined,
  metrics: readonly string[],
  unreadable: Obstacle | undefined,
): ScoredSample {
  return {
    ...answer.sample,
    execution: unreadable === undefined ? (judged?.execution ?? null) : null,
    verdicts: Object.fromEntries(metrics.map((metric) => [metric, judged?.verdicts[metric] as Verdict])),
  };
}

/** No answer is a wrong answer. */
function unanswered(answer: AskedAnswer, metrics: readonly string[]): ScoredSample {
  return {
    ...answer.sample,
    execution: null,
    verdicts: Object.fromEntries(metrics.map((metric) => [metric, scored(0)])),
  };
}

function obstructed(
  answer: AskedAnswer,
  metrics: readonly string[],
  { reason, message }: Obstacle,
): ScoredSample {
  return {
    ...answer.sample,
    execution: null,
    verdicts: Object.fromEntries(metrics.map((metric) => [metric, unscored(reason, message)])),
  };
}

function labelsOf(example: Example, services: JudgeExampleServices): Record<string, LabelVerdict> {
  const [gold] = example.gold;
  const { database } = services;
  const labelWith = (label: Label): LabelVerdict => {
    const obstacle = goldObstacle(example) ?? (database === undefined ? noDatabase(example) : undefined);
    if (obstacle !== undefined || gold === undefined || database === undefined) {
      return unscored(obstacle?.reason ?? "no_gold", obstacle?.message ?? "");
    }
    return label.label(gold, database.schema, example.difficulty);
  };
  return Object.fromEntries(services.labels.map((label) => [label.id, labelWith(label)]));
}

function checkReply(
  example: Example,
  reply: JudgeReply,
  predictions: number,
  metrics: readonly string[],
): void {
  const whole =
    reply.gold.length === example.gold.length &&
    reply.answers.length === predictions &&
    reply.answers.every((answer) => metrics.every((metric) => answer.verdicts[metric] !== undefined));
  if (whole) return;
  throw new GradusError(
    "JUDGE_REPLY_INCOMPLETE",
    `the judge's reply for example ${example.id} has ${reply.gold.length} golds and ${reply.answers.length} answers, ` +
      `expected ${example.gold.length} and ${predictions}, each answer with verdicts of ${metrics.join(", ")}`,
    { site: { stage: "score", rowId: example.id }, hint: "this is a defect of the judge: please report it" },
  );
}
