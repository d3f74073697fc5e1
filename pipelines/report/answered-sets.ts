import { z } from "zod";
import { Example } from "../../core/example.ts";
import { GoldRow, ScoredSample } from "../../core/rows.ts";
import { ModelName, Trajectory, Usage } from "../../core/trajectory.ts";
import { mergeByExample } from "../../curation/merge-by-example.ts";
import { type AccuracyRow, accuracyOf } from "../accuracy.ts";
import { AccuracyTally } from "./accuracy-tally.ts";
import { CostTally } from "./cost-tally.ts";
import { hardnessOf } from "./hardness.ts";
import { interactionFigures } from "./interaction-figures.ts";
import type { AnsweredSet, RolloutKind, RoundsReport, ShownRollout } from "./report-document.ts";
import { fedTo, looseRows, type ReportSource } from "./report-source.ts";
import { RolloutPool } from "./rollout-pool.ts";
import { RoundMovement } from "./round-movement.ts";
import { systemKey, systemLabels } from "./system-labels.ts";

/** What is read of every trajectory; one that is shown is read whole. */
const ReadTrajectory = z.object({
  id: z.string(),
  exampleId: z.string(),
  model: ModelName,
  scaffold: z.object({ id: z.string() }),
  round: z.number(),
  usage: Usage,
  stopReason: z.string(),
  messages: z.array(z.object({ origin: z.string(), rawText: z.string(), toolCalls: z.array(z.unknown()) })),
});

/** A trajectory as read, and the row it was read from. */
interface ReadAnswer extends z.infer<typeof ReadTrajectory> {
  readonly row: unknown;
}

/** The answers of a run's steps whose ids begin with `prefix`. */
export interface ReadAnswers {
  readonly set: AnsweredSet;
  readonly movement: RoundsReport["movement"];
  readonly rollouts: readonly ShownRollout[];
}

/**
 * Reads the judged answers of a run once, question by question; `null` where they are not judged. Holds the answers to
 * one question, figures by system and group, and the few rollouts that are shown.
 */
export async function readAnswers(
  source: ReportSource,
  prefix: "" | "evaluation-",
): Promise<ReadAnswers | null> {
  const score = source.artifacts.get(`${prefix}score`);
  const examples = fedTo(source, `${prefix}score`, "examples");
  if (score === undefined || examples === undefined) return null;
  const { store } = source;
  const reading = new Reading();
  const merged = mergeByExample(
    () => store.rows(examples.artifact, examples.port, Example),
    (example) => example.id,
    {
      golds: () => store.rows(score, "golds", GoldRow),
      samples: () => store.rows(score, "samples", ScoredSample),
      trajectories: () => trajectories(source, `${prefix}score`),
    },
  );
  for await (const { leader, rows } of merged) reading.add(leader, rows);
  const table = await accuracyOf({ steps: [], artifacts: source.artifacts }, store, `${prefix}accuracy`);
  return reading.end(prefix === "" ? "questions" : "evaluation", table);
}

async function* trajectories(source: ReportSource, step: string): AsyncGenerator<ReadAnswer> {
  const fed = fedTo(source, step, "trajectories");
  if (fed === undefined) return;
  for await (const row of looseRows(fed.artifact, fed.port)) {
    const read = ReadTrajectory.safeParse(row).data;
    if (read !== undefined) yield { ...read, row };
  }
}

interface QuestionRows {
  readonly golds: readonly GoldRow[];
  readonly samples: readonly ScoredSample[];
  readonly trajectories: readonly ReadAnswer[];
}

class Reading {
  readonly #accuracy = new AccuracyTally();
  readonly #cost = new CostTally();
  readonly #movement = new RoundMovement();
  readonly #pool = new RolloutPool();
  #metric: string | null = null;
  #questions = 0;
  #answers = 0;
  #simulated = 0;

  add(example: Example, { golds, samples, trajectories: answers }: QuestionRows): void {
    const [gold] = golds;
    this.#questions += 1;
    this.#answers += samples.length;
    this.#simulated += samples.filter(({ simulated }) => simulated).length;
    this.#metric ??= Object.keys(samples[0]?.verdicts ?? {})[0] ?? null;
    this.#accuracy.add(example, gold, samples);
    this.#movement.add(samples, this.#metric ?? "");
    const judged = new Map(samples.map((sample) => [sample.trajectoryId, sample]));
    for (const answer of answers) {
      this.#count(answer);
      const sample = judged.get(answer.id);
      if (sample !== undefined) this.#offer(example, gold, sample, answer);
    }
  }

  #count({ model, scaffold, round, usage, messages, stopReason }: ReadAnswer): void {
    this.#cost.add({
      model,
      setting: scaffold.id,
      round,
      ...usage,
      stopReason,
      replies: messages.filter(({ origin }) => origin === "sampled").length,
      toolCalls: messages.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0),
    });
  }

  #offer(example: Example, gold: GoldRow | undefined, sample: ScoredSample, answer: ReadAnswer): void {
    const verdict = sample.verdicts[this.#metric ?? ""];
    if (verdict?.status !== "scored") return;
    const kind = kindOf(verdict.score === 1, answer.messages);
    const system = systemKey(sample);
    if (!this.#pool.wants(kind, system, answer)) return;
    const trajectory = Trajectory.safeParse(answer.row).data;
    if (trajectory === undefined) return;
    const { question, evidence, databaseId, dataset, sourceId } = example;
    const verdicts = Object.entries(sample.verdicts).map(
      ([id, found]) => [id, found.status === "scored" ? found.score : found.reason] as const,
    );
    this.#pool.offer({
      kind,
      systemKey: system,
      question,
      evidence,
      databaseId,
      dataset: `${dataset.name} ${dataset.split}`,
      sourceId,
      hardness: hardnessOf(example, gold),
      gold: example.gold[0] ?? null,
      verdicts: Object.fromEntries(verdicts),
      trajectory,
    });
  }

  end(name: AnsweredSet["name"], table: readonly AccuracyRow[]): ReadAnswers {
    const labels = systemLabels(this.#accuracy.systems);
    const accuracy = [...this.#accuracy.figures(labels), ...interactionFigures(table, labels)];
    const metric = this.#metric ?? "";
    const overall = accuracy.filter((row) => row.metric === metric && row.group === "all");
    const systems = this.#accuracy.systems.map((system) => {
      return { label: labels.get(systemKey(system)) ?? "", ...system };
    });
    return {
      set: {
        name,
        metric,
        questions: this.#questions,
        answers: this.#answers,
        simulated: this.#simulated,
        simulatedShare: this.#answers === 0 ? null : this.#simulated / this.#answers,
        systems,
        accuracy,
        cost: this.#cost.figures(labels, overall),
      },
      movement: this.#movement.tables(),
      rollouts: this.#pool.chosen(labels),
    };
  }
}

/** What tools say of a statement that failed or gave nothing. */
const FAULT = /\bError: |"error"\s*:|\[0 rows|\bno rows\b/;

function kindOf(isRight: boolean, messages: ReadAnswer["messages"]): RolloutKind {
  if (!isRight) return "wrong";
  const hadFault = messages.some(
    ({ origin, rawText }) => origin === "injected" || (origin === "environment" && FAULT.test(rawText)),
  );
  return hadFault ? "repaired" : "right";
}
