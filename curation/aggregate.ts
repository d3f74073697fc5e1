import { z } from "zod";
import { Example } from "../core/example.ts";
import { GoldRow, ScoredSample } from "../core/rows.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import { ModelName } from "../core/trajectory.ts";
import { BIRD_DIFFICULTIES } from "./bird-difficulty.ts";
import { compareText } from "./compare-text.ts";
import { DialogueCollector, systemKeyOf } from "./dialogue-samples.ts";
import { TURN_GROUPS, turnGroupOf } from "./interaction-match.ts";
import { mergeByExample } from "./merge-by-example.ts";
import { verdictOf } from "./pass-rates.ts";
import { QUERY_FEATURES, queryFeatures } from "./query-features.ts";
import { RunningMean } from "./running-mean.ts";

/** A system's score by one metric over one group of questions. */
export const AggregateRow = z.strictObject({
  /**
   * `all`, or `dataset:spider 1.0 dev` (name, release, split), `hardness:easy`, `difficulty:simple`, `turn:1`,
   * `database:flight_2`, `feature:subquery` (of the first gold; a question is in the group of each), …
   * The figures of `interactions` count dialogues instead of questions.
   */
  group: z.string(),
  /** `<model name>#<sample index>`: one answer to each question. */
  system: z.string(),
  model: ModelName,
  setting: z.string(),
  round: z.int().nonnegative(),
  sampleIndex: z.int().nonnegative(),
  metric: z.string(),
  /** Scored answers; the figures below are over these, `null` where there is none. */
  n: z.int().nonnegative(),
  mean: z.number().nullable(),
  standardError: z.number().nullable(),
  /** 95 percent interval (Wilson), for scores within 0 and 1. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Answers without a score to questions that can be judged. */
  unscored: z.int().nonnegative(),
  /** Answers to questions that cannot: no database, no gold, or no gold that runs. */
  unexecutable: z.int().nonnegative(),
  /** Questions of the group that the system has no sample of. */
  missing: z.int().nonnegative(),
});
export type AggregateRow = z.infer<typeof AggregateRow>;

const AggregateOptions = z.strictObject({
  metrics: z.array(z.string()).min(1).default(["bird-ex"]),
  by: z
    .array(z.enum(["dataset", "hardness", "difficulty", "turn", "database", "feature"]))
    .default(["dataset", "hardness", "difficulty", "turn"]),
  /** The label behind `hardness`. */
  label: z.string().default("spider-hardness"),
});
type AggregateOptions = z.infer<typeof AggregateOptions>;

/** The group whose members are dialogues; it comes with the groups by turn. */
const INTERACTIONS = "interactions";

/**
 * Averages scores per system, metric and group of questions. A system is a model under a setting, a round
 * and a sample index, so that a mean is over one answer a question. Every sample is counted once in each
 * of its groups: scored, unscored or unexecutable. Rows are ordered by system, then metric, then group.
 *
 * A dialogue is right when every turn of it is (interaction match); it is scored where all its turns are. One with
 * a turn that cannot be judged or is not among the examples is unexecutable. There is no such group without a
 * dialogue that is whole.
 */
export const aggregateStage = defineStage({
  name: "aggregate",
  version: 2,
  inputs: { examples: Example, golds: GoldRow, samples: ScoredSample },
  outputs: { table: AggregateRow },
  options: AggregateOptions,
  plugs: (options) =>
    options.by.includes("hardness") ? [{ kind: "metric", id: options.label } as const] : [],
  async *run({ inputs, options, context }) {
    const tally = new Tally(options.metrics);
    const dialogues = options.by.includes("turn") ? new DialogueCollector(options.metrics) : undefined;
    const merged = mergeByExample(inputs.examples, (example) => example.id, {
      golds: inputs.golds,
      samples: inputs.samples,
    });
    for await (const { leader, position, total, rows } of merged) {
      const isExecutable = rows.golds.some((gold) => gold.reason === "ok");
      tally.add(groupsOf(leader, rows.golds[0], options), rows.samples, isExecutable);
      const dialogue = dialogues?.add(leader, rows.samples, isExecutable);
      if (dialogue !== undefined) tally.add([INTERACTIONS], dialogue.samples, dialogue.isExecutable);
      context.progress(position + 1, total);
    }
    if (tally.has(INTERACTIONS)) {
      for (const { samples } of dialogues?.incomplete() ?? []) tally.add([INTERACTIONS], samples, false);
    }
    const levels = await levelsOf(options, context);
    for (const row of tally.rows(levels)) yield { port: "table", row } as const;
  },
});

function groupsOf(example: Example, gold: GoldRow | undefined, options: AggregateOptions): string[] {
  const groups = ["all"];
  const label = gold?.labels[options.label];
  const { name, release, split } = example.dataset;
  for (const by of options.by) {
    if (by === "dataset") groups.push(`dataset:${name} ${release} ${split}`);
    if (by === "difficulty" && example.difficulty !== null) groups.push(`difficulty:${example.difficulty}`);
    if (by === "hardness" && label !== undefined) {
      groups.push(`hardness:${label.status === "scored" ? label.label : "unknown"}`);
    }
    if (by === "turn" && example.dialogue !== null) groups.push(turnGroupOf(example.dialogue.turn));
    if (by === "database") groups.push(`database:${example.databaseId}`);
    if (by === "feature") groups.push(...featureGroups(example));
  }
  return groups;
}

function featureGroups({ gold }: Example): string[] {
  const [sql] = gold;
  return sql === undefined ? [] : queryFeatures(sql).map((feature) => `feature:${feature}`);
}

/** The groups whose order is not that of their names. */
async function levelsOf(options: AggregateOptions, context: StageContext): Promise<readonly string[]> {
  const difficulties = BIRD_DIFFICULTIES.map((level) => `difficulty:${level}`);
  const plug = options.by.includes("hardness")
    ? await context.plugs.find("metric", options.label)
    : undefined;
  const hardnesses = plug?.kind === "label" ? plug.levels.map((level) => `hardness:${level}`) : [];
  const features = QUERY_FEATURES.map((feature) => `feature:${feature}`);
  return ["all", ...difficulties, ...hardnesses, ...TURN_GROUPS, ...features];
}

interface Cell {
  readonly means: ReadonlyMap<string, { readonly mean: RunningMean; unscored: number; unexecutable: number }>;
  answered: number;
}

type System = Pick<AggregateRow, "system" | "model" | "setting" | "round" | "sampleIndex">;

/** Counters per system and group; the number of systems and groups bounds its size. */
class Tally {
  readonly #metrics: readonly string[];
  readonly #questions = new Map<string, number>();
  readonly #systems = new Map<string, { readonly system: System; readonly cells: Map<string, Cell> }>();

  constructor(metrics: readonly string[]) {
    this.#metrics = metrics;
  }

  has(group: string): boolean {
    return this.#questions.has(group);
  }

  /** Counts one question with all its samples. */
  add(groups: readonly string[], samples: readonly ScoredSample[], isExecutable: boolean): void {
    for (const group of groups) {
      this.#questions.set(group, (this.#questions.get(group) ?? 0) + 1);
      const answered = new Set<Cell>();
      for (const sample of samples) {
        const cell = this.#cellOf(sample, group);
        if (!answered.has(cell)) cell.answered += 1;
        answered.add(cell);
        this.#addScores(cell, sample, isExecutable);
      }
    }
  }

  /** A metric that reads no rows may score what cannot be executed. */
  #addScores(cell: Cell, sample: ScoredSample, isExecutable: boolean): void {
    for (const [metric, counter] of cell.means) {
      const verdict = verdictOf(sample, metric);
      if (verdict.status === "scored") counter.mean.add(verdict.score);
      else if (isExecutable) counter.unscored += 1;
      else counter.unexecutable += 1;
    }
  }

  #cellOf(sample: ScoredSample, group: string): Cell {
    const { model, setting, round, sampleIndex } = sample;
    const key = systemKeyOf(sample);
    const system = { system: `${model.name}#${sampleIndex}`, model, setting, round, sampleIndex };
    const entry = this.#systems.get(key) ?? { system, cells: new Map<string, Cell>() };
    this.#systems.set(key, entry);
    const counters = this.#metrics.map(
      (metric) => [metric, { mean: new RunningMean(), unscored: 0, unexecutable: 0 }] as const,
    );
    const cell = entry.cells.get(group) ?? { means: new Map(counters), answered: 0 };
    entry.cells.set(group, cell);
    return cell;
  }

  /** `levels`: the groups that come first, in this order. */
  *rows(levels: readonly string[]): Generator<AggregateRow> {
    const groups = [...this.#questions.keys()].sort(groupOrder(levels));
    const entries = [...this.#systems.values()].sort((left, right) =>
      compareSystems(left.system, right.system),
    );
    for (const { system, cells } of entries) {
      for (const metric of this.#metrics) {
        for (const group of groups) yield this.#row(system, cells.get(group), metric, group);
      }
    }
  }

  #row(system: System, cell: Cell | undefined, metric: string, group: string): AggregateRow {
    const counter = cell?.means.get(metric);
    const figures = (counter?.mean ?? new RunningMean()).figures();
    const missing = (this.#questions.get(group) ?? 0) - (cell?.answered ?? 0);
    return {
      group,
      ...system,
      metric,
      ...figures,
      unscored: counter?.unscored ?? 0,
      unexecutable: counter?.unexecutable ?? 0,
      missing,
    };
  }
}

function compareSystems(left: System, right: System): number {
  return (
    compareText(left.model.name, right.model.name) ||
    compareText(left.model.revision, right.model.revision) ||
    compareText(left.setting, right.setting) ||
    left.round - right.round ||
    left.sampleIndex - right.sampleIndex
  );
}

/** `all`, then kinds of groups by name, and within a kind the known levels before the others. */
function groupOrder(levels: readonly string[]): (left: string, right: string) => number {
  const placeOf = new Map(levels.map((level, index) => [level, index]));
  const rank = (group: string): number => placeOf.get(group) ?? levels.length;
  return (left, right) =>
    compareText(kindOf(left), kindOf(right)) || rank(left) - rank(right) || compareText(left, right);
}

function kindOf(group: string): string {
  return group === "all" ? "" : (group.split(":")[0] ?? "");
}
