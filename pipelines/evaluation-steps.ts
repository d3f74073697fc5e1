import { aggregateStage } from "../curation/aggregate.ts";
import { checkGoldScoresStage } from "../curation/check-gold-scores.ts";
import { evaluateLinkedSystemsStage, evaluateSystemsStage } from "../curation/evaluate-systems.ts";
import { ERROR_MEANINGS } from "../curation/error-taxonomy.ts";
import { judgeErrorsStage } from "../synth/judge-errors.ts";
import type { ModelRole, RunConfig } from "./config.ts";
import { gradeGoldsStage } from "./grade-golds-stage.ts";
import { type PipelineStep, type PortLink, step } from "./pipeline.ts";

/** The groups that accuracy is told by. */
const GROUPS = ["dataset", "hardness", "difficulty", "turn", "database", "feature"];

/** Judged answers of one evaluation, and where its questions come from. */
export interface FigureStepsRequest {
  readonly judge: RunConfig["judge"];
  readonly examples: PortLink;
  readonly databases: PortLink;
  readonly trajectories: PortLink;
  /** Where schema linkers' episodes come from, `null` where there are none. */
  readonly linkings: PortLink | null;
  /** Id of the step that judged them. */
  readonly score: string;
  /** Ids of the steps to come. */
  readonly accuracy: string;
  readonly systems: string;
  /** The name of the only system; `null` names each by its model. */
  readonly name: string | null;
  /** Numbers of samples to tell pass@k and votes for; `null` for those of the stage. */
  readonly attempts: readonly number[] | null;
}

/** Averages judged answers by group, and makes the other figures of an evaluation. */
export function figureSteps(request: FigureStepsRequest): PipelineStep[] {
  const { judge, examples, databases, trajectories, linkings, score, name, attempts } = request;
  const golds = { step: score, port: "golds" };
  const samples = { step: score, port: "samples" };
  const inputs = { examples, databases, golds, samples, trajectories };
  const [label] = judge.labels;
  const labelled = label === undefined ? {} : { label };
  return [
    step({
      id: request.accuracy,
      stage: aggregateStage,
      options: { metrics: judge.metrics, by: GROUPS, ...labelled },
      inputs: { examples, golds, samples },
    }),
    step({
      id: request.systems,
      stage: linkings === null ? evaluateSystemsStage : evaluateLinkedSystemsStage,
      options: {
        metrics: judge.metrics,
        name,
        ...(attempts === null ? {} : { attempts }),
        ...labelled,
      },
      inputs: linkings === null ? inputs : { ...inputs, linkings },
    }),
  ];
}

/** Judged answers whose errors a model may name. */
export interface ErrorStepsRequest {
  readonly config: Pick<RunConfig, "answers" | "evaluation" | "judge" | "models">;
  readonly id: string;
  /** Id of the step that judged them. */
  readonly score: string;
  readonly examples: PortLink;
  readonly trajectories: PortLink;
}

/** Has a model name the errors of wrong answers; nothing where the config names no such model. */
export function errorSteps({ config, id, score, examples, trajectories }: ErrorStepsRequest): PipelineStep[] {
  const asked = config.evaluation?.errorJudge ?? null;
  if (asked === null) return [];
  const { provider, name, revision } = config.models[asked.model] as ModelRole;
  const { temperature, maxTokens } = asked;
  return [
    step({
      id,
      stage: judgeErrorsStage,
      options: {
        role: asked.model,
        model: { name, revision },
        simulated: provider === "simulated",
        sampling: { temperature, topP: 1, topK: -1, maxTokens, extra: {} },
        metric: config.judge.metrics[0],
        classes: ERROR_MEANINGS,
      },
      runtime: { concurrency: config.answers.concurrency },
      inputs: { examples, samples: { step: score, port: "samples" }, trajectories },
    }),
  ];
}

/** What is looked at in the golds of an evaluation. */
export interface GoldStepsRequest {
  readonly judge: RunConfig["judge"];
  readonly examples: PortLink;
  readonly databases: PortLink;
  readonly concurrency: number;
  readonly prefix: string;
  /** Whether golds that their data leave open are looked for. */
  readonly grade: boolean;
}

/** Judges the golds against themselves, and finds those that their data leave open. */
export function goldSteps(request: GoldStepsRequest): PipelineStep[] {
  const { judge, examples, databases, concurrency, prefix, grade } = request;
  const check = step({
    id: `${prefix}gold-check`,
    stage: checkGoldScoresStage,
    options: judge,
    runtime: { concurrency },
    inputs: { examples, databases },
  });
  if (!grade) return [check];
  const { goldCpuMs: cpuMs, maxRows, maxBytes } = judge;
  const graded = step({
    id: `${prefix}gold-grades`,
    stage: gradeGoldsStage,
    options: { limits: { cpuMs, maxRows, maxBytes } },
    runtime: { concurrency: Math.min(concurrency, 16) },
    inputs: { examples, databases },
  });
  return [check, graded];
}
