import type { Json } from "../../core/key.ts";
import type { Trajectory } from "../../core/trajectory.ts";
import type { FunnelLine } from "../funnel.ts";

/** A line of the funnel, and its share of the total that it is a part of: 0 to 1; `null` for totals and parts of nothing. */
export interface FunnelShare extends FunnelLine {
  readonly share: number | null;
}

/** Who answered: a model under a setting, in a round. */
export interface ReportSystem {
  /** What tells it apart from the others of the run, for a person. */
  readonly label: string;
  readonly model: { readonly name: string; readonly revision: string };
  readonly setting: string;
  readonly round: number;
}

/**
 * A system's score by one metric over a group of questions. `mean` is the mean over questions of each question's mean
 * over its scored answers. `low` and `high` are Wilson's 95 percent interval, at the number of answers that the spread
 * of the questions' means is worth where questions have several.
 */
export interface AccuracyFigure {
  readonly system: string;
  readonly metric: string;
  /** `all`, `dataset:…`, `hardness:…`, `difficulty:…`, `turn:…`, `interactions` (whose `questions` are dialogues). */
  readonly group: string;
  readonly questions: number;
  readonly answers: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly unscored: number;
  /** Answers to questions that cannot be judged. */
  readonly unexecutable: number;
}

/** What the answers of a system took. `null` where the server did not say. */
export interface CostFigure {
  readonly system: string;
  readonly answers: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly costUsd: number | null;
  readonly tokensPerAnswer: number | null;
  readonly costUsdPerAnswer: number | null;
  readonly repliesPerAnswer: number;
  readonly toolCallsPerAnswer: number;
  /** Accuracy over all questions by the first metric. */
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly stopReasons: readonly { readonly reason: string; readonly count: number }[];
}

/** Judged answers to one set of questions: those that the run trains on, or those of its evaluation. */
export interface AnsweredSet {
  readonly name: "questions" | "evaluation";
  readonly metric: string;
  readonly questions: number;
  readonly answers: number;
  readonly simulated: number;
  /** Of the answers, 0 to 1; `null` where there is none. */
  readonly simulatedShare: number | null;
  readonly systems: readonly ReportSystem[];
  readonly accuracy: readonly AccuracyFigure[];
  readonly cost: readonly CostFigure[];
}

/** A bar of a histogram. */
export interface HistogramBin {
  readonly label: string;
  readonly count: number;
}

/** Pass rates by one metric. */
export interface PassRateReport {
  readonly metric: string;
  readonly systems: readonly {
    readonly system: string;
    readonly bins: readonly HistogramBin[];
    /** Questions whose sampling stopped early: they have a decision and no rate. */
    readonly stopped: number;
    /** Questions without a scored answer. */
    readonly unrated: number;
  }[];
  /** Rates pooled over systems. */
  readonly classes: readonly string[];
  readonly byHardness: readonly {
    readonly hardness: string;
    readonly total: number;
    /** In the order of `classes`. */
    readonly counts: readonly number[];
  }[];
}

/** The levels of a curriculum, the first trained on first. */
export interface CurriculumReport {
  readonly id: string;
  readonly levels: readonly {
    readonly level: number;
    readonly questions: number;
    readonly train: number;
    readonly validation: number;
    /** Over questions with complete rates. */
    readonly meanRate: number | null;
    readonly hardness: readonly { readonly hardness: string; readonly count: number }[];
  }[];
}

/** What changed between rounds; a part is `null` where the run has none. */
export interface RoundsReport {
  readonly coverage:
    | readonly {
        readonly round: number;
        readonly examples: number;
        readonly covered: number;
        readonly trajectories: number;
      }[]
    | null;
  /** Questions by how they were answered in a round and in the next one. */
  readonly movement: readonly {
    readonly from: number;
    readonly to: number;
    readonly classes: readonly string[];
    /** `counts[before][after]`. */
    readonly counts: readonly (readonly number[])[];
  }[];
}

/** Rewards that a step gave. */
export interface RewardReport {
  readonly step: string;
  readonly port: string;
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly terms: readonly {
    readonly name: string;
    readonly count: number;
    readonly mean: number;
    readonly min: number;
    readonly max: number;
  }[];
}

/** A table of an evaluation, as it was found. */
export interface FoundTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** Rows that were left out. */
  readonly more: number;
}

/** Why a rollout is shown. `repaired`: right after an error, an empty result or a reminder. */
export type RolloutKind = "right" | "repaired" | "wrong";

/** A rollout to read turn by turn. */
export interface ShownRollout {
  readonly kind: RolloutKind;
  readonly system: string;
  readonly question: string;
  readonly evidence: string | null;
  readonly databaseId: string;
  readonly dataset: string;
  readonly sourceId: string;
  readonly hardness: string;
  readonly gold: string | null;
  /** Verdicts by metric: a score, or why there is none. */
  readonly verdicts: Readonly<Record<string, number | string>>;
  readonly trajectory: Trajectory;
}

/** Everything that a report says. Every number in the page is one of these. */
export interface ReportDocument {
  readonly gradus: 1;
  readonly kind: "report";
  readonly run: {
    readonly name: string;
    readonly seed: number | null;
    readonly models: readonly {
      readonly role: string;
      readonly name: string;
      readonly revision: string;
      readonly provider: string;
    }[];
    readonly datasets: readonly {
      readonly loader: string;
      readonly split: string;
      readonly use: string;
    }[];
    readonly steps: readonly string[];
    /** As the run was last started, without paths and addresses. */
    readonly recipe: Json;
  };
  readonly funnel: readonly FunnelShare[];
  readonly sets: readonly AnsweredSet[];
  readonly passRates: PassRateReport | null;
  readonly curriculum: CurriculumReport | null;
  readonly rounds: RoundsReport | null;
  readonly rewards: readonly RewardReport[];
  readonly evaluation: readonly FoundTable[];
  readonly rollouts: readonly ShownRollout[];
}
