import type { Database } from "../core/database.ts";
import type { Example } from "../core/example.ts";
import type { GoldRow, ScoredSample } from "../core/rows.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { AbilityMeans, ErrorCounts, LinkingMeans, MetricPairs } from "./answer-figures.ts";
import { type AnsweredSample, AttemptFigures, electedOf } from "./attempt-figures.ts";
import { SampleEffort } from "./effort-figures.ts";
import { type ErrorReport, errorReport } from "./error-taxonomy.ts";
import type { EvaluatedQuestion, EvaluatedSystem } from "./evaluated-rows.ts";
import { NameCounter } from "./mean-counter.ts";
import { mtsqlAbilities } from "./mtsql-abilities.ts";
import { verdictOf } from "./pass-rates.ts";

/** A question with all that is known of it beside its answers. */
export interface EvaluatedExample {
  readonly example: Example;
  readonly gold: GoldRow;
  readonly database: Database | undefined;
  readonly hardness: string | null;
  readonly features: readonly string[];
  /** The groups that effort is told by. */
  readonly groups: readonly string[];
}

/** A sample of a system with its rollout, and its linker's where one came first. */
export interface SystemSample {
  readonly sample: ScoredSample;
  readonly trajectory: Trajectory;
  readonly linking: Trajectory | undefined;
}

export interface FiguresOptions {
  readonly metrics: readonly string[];
  /** Tells right from wrong for the error classes. */
  readonly errorMetric: string;
  readonly attempts: readonly number[];
  /** Hardnesses, easiest first. */
  readonly levels: readonly string[];
  /** The metrics that compare results: where they differ, the verdict depends on the metric. */
  readonly rowMetrics: readonly string[];
}

/** Adds up what a system answered, question by question; its size does not depend on their number. */
export class SystemFigures {
  readonly #name: string;
  readonly #first: ScoredSample;
  readonly #options: FiguresOptions;
  readonly #attempts: AttemptFigures;
  readonly #linking = new LinkingMeans();
  readonly #linker = new LinkingMeans();
  readonly #errors = new ErrorCounts();
  readonly #pairs: MetricPairs;
  readonly #effort = new SampleEffort();
  readonly #abilities = new AbilityMeans();
  readonly #unexecutable = new NameCounter();
  readonly #executions = new NameCounter();
  #answered = 0;
  #runs = 0;
  #samples = 0;
  #isSimulated = false;

  /** `first`: any of its samples, which says whose they are. */
  constructor(name: string, first: ScoredSample, options: FiguresOptions) {
    this.#name = name;
    this.#first = first;
    this.#options = options;
    this.#attempts = new AttemptFigures(options.metrics, options.attempts);
    this.#pairs = new MetricPairs(options.metrics);
  }

  /** Adds a question that the system has samples of, in index order; its row. */
  add(evaluated: EvaluatedExample, samples: readonly SystemSample[]): EvaluatedQuestion {
    const { gold } = evaluated;
    const answers = samples.map(({ sample, trajectory }) => ({ sample, sql: trajectory.finalSql }));
    this.#answered += 1;
    this.#samples += samples.length;
    this.#runs = Math.max(this.#runs, samples.length);
    if (gold.reason === "ok") this.#attempts.add(answers);
    else this.#unexecutable.add(gold.reason);
    let firstError: ErrorReport | undefined;
    for (const entry of samples) {
      const error = this.#addSample(evaluated, entry);
      firstError ??= error;
    }
    return this.#questionOf(evaluated, answers, firstError);
  }

  /** The figures; `questions` counts the dataset's, `notAnswered` gives the reasons of those without a sample that cannot be judged. */
  finish(questions: number, notAnswered: Readonly<Record<string, number>>): EvaluatedSystem {
    const { model, setting, round } = this.#first;
    const { errorMetric, levels } = this.#options;
    let missing = questions - this.#answered;
    const executions = this.#executions.record();
    for (const [reason, count] of Object.entries(notAnswered)) {
      this.#unexecutable.add(reason, count);
      missing -= count;
    }
    return {
      name: this.#name,
      model,
      setting,
      round,
      simulated: this.#isSimulated,
      questions,
      unexecutable: this.#unexecutable.record(),
      missing,
      runs: this.#runs,
      samples: this.#samples,
      passAtK: this.#attempts.passFigures(),
      votes: this.#attempts.voteFigures(),
      unique: this.#attempts.uniqueFigures(),
      linking: this.#linking.figures(),
      linker: this.#linker.figures(),
      errors: this.#errors.figures(errorMetric, levels),
      metricPairs: this.#pairs.figures(),
      effort: this.#effort.figures(),
      tools: this.#effort.toolFigures(),
      turns: this.#effort.turns(),
      stopReasons: this.#effort.stopReasons(),
      executions,
      abilities: this.#abilities.figures(),
    };
  }

  /** What one sample adds; why it is wrong, where it is. */
  #addSample(evaluated: EvaluatedExample, entry: SystemSample): ErrorReport | undefined {
    const { example, gold, database, hardness, groups } = evaluated;
    const { sample, trajectory, linking } = entry;
    const schema = database?.schema ?? null;
    const [goldSql] = example.gold;
    this.#isSimulated ||= sample.simulated;
    this.#pairs.add(sample);
    this.#linking.addVerdict(sample);
    this.#effort.add(groups, trajectory, linking);
    this.#executions.add(
      sample.execution?.status ?? (trajectory.finalSql === null ? "no_answer" : "not_run"),
    );
    if (goldSql === undefined) return undefined;
    const asked = { sql: goldSql, schema, hasHistory: example.history.length > 0 };
    this.#abilities.add(groups, mtsqlAbilities(trajectory, asked));
    const linker = linking ?? (trajectory.links === undefined ? undefined : trajectory);
    if (linker !== undefined && schema !== null) this.#linker.addLinks(goldSql, schema, linker.links);
    const verdict = verdictOf(sample, this.#options.errorMetric);
    if (verdict.status !== "scored" || verdict.score === 1) return undefined;
    const report = errorReport({
      goldSql,
      predictedSql: trajectory.finalSql,
      schema,
      gold: gold.executions?.[0] ?? null,
      predicted: sample.execution,
    });
    this.#errors.add(report, hardness);
    return report;
  }

  #questionOf(
    { example, gold, hardness, features }: EvaluatedExample,
    answers: readonly AnsweredSample[],
    error: ErrorReport | undefined,
  ): EvaluatedQuestion {
    const { metrics, rowMetrics } = this.#options;
    const elected = electedOf(answers);
    const scoresBy = (metric: string): (number | null)[] =>
      answers.map(({ sample }) => {
        const verdict = verdictOf(sample, metric);
        return verdict.status === "scored" ? verdict.score : null;
      });
    const scores = Object.fromEntries(metrics.map((metric) => [metric, scoresBy(metric)]));
    const firsts = rowMetrics.flatMap((metric) => {
      const [first] = scores[metric] ?? [];
      return typeof first === "number" ? [first === 1] : [];
    });
    return {
      exampleId: example.id,
      sourceId: example.sourceId,
      databaseId: example.databaseId,
      system: this.#name,
      gold: gold.reason,
      hardness,
      difficulty: example.difficulty,
      turn: example.dialogue === null ? null : example.dialogue.turn + 1,
      features: [...features],
      samples: answers.length,
      scores,
      majority: elected.majority?.sampleIndex ?? null,
      consensus: elected.consensus?.sampleIndex ?? null,
      errors: [...(error?.classes ?? [])],
      signs: [...(error?.signs ?? [])],
      dependsOnMetric: new Set(firsts).size > 1,
    };
  }
}
