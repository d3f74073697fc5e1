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
 * its samples. The judge is not called where there is no readable database or no gold.
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
  if (database === undefined || obstacle !== undefined) {
    const samples = answers.map((answer) => sampleOf(answer, undefined, metrics, obstacle));
    const executions = unreadable === undefined ? [] : null;
    return { gold: { ...row, executions, ...(obstacle ?? RAN) }, samples, done, total };
  }
  const predictions = [...new Set(answers.map((answer) => answer.finalSql).filter((sql) => sql !== null))];
  const request = { database, gold: example.gold, predictions, metrics, goldLimits, predictionLimits };
  const reply = await services.judge.judge(request);
  checkReply(example, reply, predictions.length, metrics);
  const judged = new Map(predictions.map((sql, index) => [sql, reply.answers[index]]));
  const failure = failureOf(reply.gold);
  const samples = answers.map((answer) =>
    sampleOf(answer, judged.get(answer.finalSql ?? ""), metrics, failure),
  );
  return { gold: { ...row, executions: [...reply.gold], ...(failure ?? RAN) }, samples, done, total };
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
  obstacle: Obstacle | undefined,
): ScoredSample {
  const verdictOf = (metric: string): Verdict => {
    if (obstacle !== undefined) return unscored(obstacle.reason, obstacle.message);
    if (answer.finalSql === null) return scored(0);
    return judged?.verdicts[metric] as Verdict;
  };
  return {
    ...answer.sample,
    execution: answer.finalSql === null ? null : (judged?.execution ?? null),
    verdicts: Object.fromEntries(metrics.map((metric) => [metric, verdictOf(metric)])),
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
    return label.label(gold, database.schema);
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
