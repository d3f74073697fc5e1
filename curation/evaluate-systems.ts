import { z } from "zod";
import { Database } from "../core/database.ts";
import { Example } from "../core/example.ts";
import { GoldRow, ScoredSample } from "../core/rows.ts";
import { defineStage, type Rows, type StageContext } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { compareText } from "./compare-text.ts";
import { EvaluatedQuestion, EvaluatedSystem } from "./evaluated-rows.ts";
import { turnGroupOf } from "./interaction-match.ts";
import { NameCounter } from "./mean-counter.ts";
import { mergeByExample } from "./merge-by-example.ts";
import { queryFeatures } from "./query-features.ts";
import {
  type EvaluatedExample,
  type FiguresOptions,
  SystemFigures,
  type SystemSample,
} from "./system-figures.ts";

/** Numbers of samples that pass@k, votes and unique answers are told for, as far as a question has as many. */
export const DEFAULT_ATTEMPTS = [1, 2, 3, 4, 6, 8, 10, 16, 20, 32, 64, 128];

const Options = z.strictObject({
  metrics: z.array(z.string()).min(1),
  /** Tells right from wrong for the error classes; the first metric when left out. */
  errorMetric: z.string().nullable().default(null),
  /** The name of the only system; `null` names each by its model. */
  name: z.string().nullable().default(null),
  attempts: z.array(z.int().positive()).default(DEFAULT_ATTEMPTS),
  /** The label behind hardness. */
  label: z.string().default("spider-hardness"),
});
type Options = z.infer<typeof Options>;

const inputs = {
  examples: Example,
  databases: Database,
  golds: GoldRow,
  samples: ScoredSample,
  trajectories: Trajectory,
};
const outputs = { systems: EvaluatedSystem, questions: EvaluatedQuestion };

/**
 * What systems are worth beside their accuracy by group: pass@k, votes, unique answers, linking, the classes of their
 * errors, effort, tools, MTSQL-R1's abilities, and one row for each question and system. A system is a model under a
 * setting and a round; its samples are its runs. Questions in their order, those of one question by system; systems by
 * name, at the end.
 * @throws METRIC_NOT_SCORED for an error metric that the score step was not asked for.
 */
export const evaluateSystemsStage = defineStage({
  name: "evaluate-systems",
  version: 1,
  inputs,
  outputs,
  options: Options,
  plugs: ({ label, metrics }) => [label, ...metrics].map((id) => ({ kind: "metric", id }) as const),
  run: ({ inputs: rows, options, context }) => evaluated(rows, undefined, { options, context }),
});

/** The same where schema linkers' episodes came before the answers'. */
export const evaluateLinkedSystemsStage = defineStage({
  name: "evaluate-linked-systems",
  version: 1,
  inputs: { ...inputs, linkings: Trajectory },
  outputs,
  options: Options,
  plugs: ({ label, metrics }) => [label, ...metrics].map((id) => ({ kind: "metric", id }) as const),
  run: ({ inputs: rows, options, context }) => evaluated(rows, rows.linkings, { options, context }),
});

type InputRows = { readonly [P in keyof typeof inputs]: Rows<z.infer<(typeof inputs)[P]>> };
type OutputRow =
  | { readonly port: "systems"; readonly row: EvaluatedSystem }
  | { readonly port: "questions"; readonly row: EvaluatedQuestion };

async function* evaluated(
  rows: InputRows,
  linkings: Rows<Trajectory> | undefined,
  { options, context }: { readonly options: Options; readonly context: StageContext },
): AsyncGenerator<OutputRow> {
  const databases = new Map<string, Database>();
  for await (const database of rows.databases()) {
    databases.set(database.databaseId, { ...database, values: [] });
  }
  const systems = new Systems(options, {
    levels: await levelsOf(options.label, context),
    rowMetrics: await rowMetricsOf(options.metrics, context),
  });
  const { golds, samples, trajectories } = rows;
  const merged = mergeByExample(rows.examples, (example) => example.id, {
    golds,
    samples,
    trajectories,
    linkings: linkings ?? nothing,
  });
  for await (const { leader, rows: found, position, total } of merged) {
    const [gold] = found.golds;
    if (gold !== undefined) {
      const example = exampleOf(leader, gold, { databases, label: options.label });
      for (const row of systems.add(example, joined(found))) yield { port: "questions", row };
    }
    context.progress(position + 1, total);
  }
  for (const row of systems.finish()) yield { port: "systems", row };
}

// eslint-disable-next-line require-yield
async function* nothing(): AsyncGenerator<Trajectory> {
  await Promise.resolve();
}

/** Samples with their rollouts. A linker's episode belongs to the sample of its model and index. */
function joined(found: {
  readonly samples: readonly ScoredSample[];
  readonly trajectories: readonly Trajectory[];
  readonly linkings: readonly Trajectory[];
}): SystemSample[] {
  const trajectories = new Map(found.trajectories.map((trajectory) => [trajectory.id, trajectory]));
  return found.samples.flatMap((sample) => {
    const trajectory = trajectories.get(sample.trajectoryId);
    const linking = found.linkings.find(
      ({ model, sampleIndex }) =>
        sampleIndex === sample.sampleIndex &&
        model.name === sample.model.name &&
        model.revision === sample.model.revision,
    );
    return trajectory === undefined ? [] : [{ sample, trajectory, linking }];
  });
}

function exampleOf(
  example: Example,
  gold: GoldRow,
  { databases, label }: { readonly databases: ReadonlyMap<string, Database>; readonly label: string },
): EvaluatedExample {
  const labelled = gold.labels[label];
  const hardness = labelled?.status === "scored" ? labelled.label : null;
  const groups = ["all"];
  if (hardness !== null) groups.push(`hardness:${hardness}`);
  if (example.difficulty !== null) groups.push(`difficulty:${example.difficulty}`);
  if (example.dialogue !== null) groups.push(turnGroupOf(example.dialogue.turn));
  const [goldSql] = example.gold;
  const features = goldSql === undefined ? [] : queryFeatures(goldSql);
  return { example, gold, database: databases.get(example.databaseId), hardness, features, groups };
}

async function levelsOf(label: string, context: StageContext): Promise<readonly string[]> {
  const plug = await context.plugs.find("metric", label);
  return plug.kind === "label" ? plug.levels : [];
}

/** The metrics that compare results: those that should agree on what is right. */
async function rowMetricsOf(metrics: readonly string[], context: StageContext): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of metrics) {
    const plug = await context.plugs.find("metric", id);
    if (plug.kind === "metric" && plug.needs.rows) found.push(id);
  }
  return found;
}

/** The systems met so far. */
class Systems {
  readonly #options: Options;
  readonly #figures: FiguresOptions;
  readonly #systems = new Map<
    string,
    { readonly name: string; readonly figures: SystemFigures; readonly answered: NameCounter }
  >();
  readonly #unexecutable = new NameCounter();
  readonly #names = new Set<string>();
  #questions = 0;

  constructor(options: Options, known: Pick<FiguresOptions, "levels" | "rowMetrics">) {
    const { metrics, attempts } = options;
    this.#options = options;
    this.#figures = {
      metrics,
      errorMetric: options.errorMetric ?? (metrics[0] as string),
      attempts: [...new Set(attempts)].sort((left, right) => left - right),
      ...known,
    };
  }

  add(example: EvaluatedExample, samples: readonly SystemSample[]): EvaluatedQuestion[] {
    const { reason } = example.gold;
    this.#questions += 1;
    if (reason !== "ok") this.#unexecutable.add(reason);
    const groups = new Map<string, SystemSample[]>();
    for (const entry of samples) {
      const { model, setting, round } = entry.sample;
      const key = JSON.stringify([model.name, model.revision, setting, round]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [entry]);
      else group.push(entry);
    }
    return [...groups].map(([key, group]) => {
      const first = (group[0] as SystemSample).sample;
      const system = this.#systems.get(key) ?? this.#open(first);
      this.#systems.set(key, system);
      if (reason !== "ok") system.answered.add(reason);
      group.sort((left, right) => left.sample.sampleIndex - right.sample.sampleIndex);
      return system.figures.add(example, group);
    });
  }

  finish(): EvaluatedSystem[] {
    const all = Object.entries(this.#unexecutable.record());
    return [...this.#systems.values()]
      .sort((left, right) => compareText(left.name, right.name))
      .map(({ figures, answered }) => {
        const known = answered.record();
        const others = all.map(([reason, count]) => [reason, count - (known[reason] ?? 0)] as const);
        return figures.finish(this.#questions, Object.fromEntries(others.filter(([, count]) => count > 0)));
      });
  }

  /** A new system; one whose name is taken gets its revision and setting behind it. */
  #open(first: ScoredSample): { name: string; figures: SystemFigures; answered: NameCounter } {
    const plain = this.#options.name ?? first.model.name;
    const name = this.#names.has(plain) ? `${plain} ${first.model.revision} ${first.setting}` : plain;
    this.#names.add(name);
    return { name, figures: new SystemFigures(name, first, this.#figures), answered: new NameCounter() };
  }
}
