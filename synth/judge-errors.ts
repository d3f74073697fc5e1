import { pMapIterable } from "p-map";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import type { Execution } from "../core/execution.ts";
import { ScoredSample } from "../core/rows.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import { ModelName, Trajectory } from "../core/trajectory.ts";
import { describeAccounts } from "./describe-accounts.ts";
import { DrainedWork } from "./drained-work.ts";
import { openDrained } from "./drained-model.ts";
import { judgeError, type JudgeErrorServices } from "./judge-error.ts";

/** What a model said of a wrong answer. */
export const JudgedError = z.strictObject({
  exampleId: z.string(),
  trajectoryId: z.string(),
  /** The classes that it named, the gravest first; empty where its reply could not be read. */
  classes: z.array(z.string()),
});
export type JudgedError = z.infer<typeof JudgedError>;

const Options = z.strictObject({
  role: z.string(),
  model: ModelName,
  simulated: z.boolean(),
  sampling: z.strictObject({
    temperature: z.number().min(0),
    topP: z.number().gt(0).max(1),
    topK: z.int(),
    maxTokens: z.int().positive(),
    extra: z.record(z.string(), z.json()),
  }),
  /** Tells right from wrong. */
  metric: z.string(),
  /** The classes by name, with what each means. */
  classes: z.record(z.string(), z.string()),
});
type Options = z.infer<typeof Options>;

/** An example with the wrong answers that are judged. */
interface WrongAnswers {
  readonly example: Example;
  readonly wrong: readonly { readonly trajectory: Trajectory; readonly execution: Execution | null }[];
}

/**
 * Has a model name the classes of wrong answers: of each question the first wrong sample of every system, equal queries
 * once. A row for each, in the order of the samples. What the ledger has is not asked again.
 * @throws JUDGEMENTS_OPEN when the model was unavailable for some: everything else is in the ledger and the same command
 * goes on from there; what else the model throws ends the stage at once, after the replies in flight.
 */
export const judgeErrorsStage = defineStage({
  name: "judge-errors",
  /** Goes up with the prompt's version. */
  version: 1,
  inputs: { examples: Example, samples: ScoredSample, trajectories: Trajectory },
  outputs: { judged: JudgedError },
  options: Options,
  runtime: z.strictObject({ concurrency: z.int().positive().default(64) }),
  async *run({ inputs: rows, options, runtime, context }) {
    const judge = await ErrorJudge.open(options, runtime.concurrency, context);
    const asked = wrongAnswers(rows, options.metric);
    const judged = pMapIterable(asked, (answers) => judge.judge(answers), {
      concurrency: runtime.concurrency,
      backpressure: runtime.concurrency * 2,
    });
    try {
      for await (const found of judged) {
        for (const row of found) yield { port: "judged", row } as const;
      }
    } finally {
      await judge.drain();
    }
    judge.finish();
  },
});

/** The first wrong sample of each system, by example; all three streams are in the order of the examples. */
async function* wrongAnswers(
  rows: {
    readonly examples: () => AsyncIterable<Example>;
    readonly samples: () => AsyncIterable<ScoredSample>;
    readonly trajectories: () => AsyncIterable<Trajectory>;
  },
  metric: string,
): AsyncGenerator<WrongAnswers> {
  const samples = groupsOf(rows.samples());
  const trajectories = groupsOf(rows.trajectories());
  let [scored, played] = [await samples.next(), await trajectories.next()];
  for await (const example of rows.examples()) {
    const own = scored.done !== true && scored.value.exampleId === example.id ? scored.value.rows : [];
    const ran = played.done !== true && played.value.exampleId === example.id ? played.value.rows : [];
    if (own.length > 0) scored = await samples.next();
    if (ran.length > 0) played = await trajectories.next();
    const systems = new Set<string>();
    const wrong = own.flatMap((sample) => {
      const { model, setting, round, verdicts, trajectoryId, execution } = sample;
      const verdict = verdicts[metric];
      const key = JSON.stringify([model.name, model.revision, setting, round]);
      if (verdict?.status !== "scored" || verdict.score === 1 || systems.has(key)) return [];
      const trajectory = ran.find(({ id }) => id === trajectoryId);
      if (trajectory === undefined) return [];
      systems.add(key);
      return [{ trajectory, execution }];
    });
    if (wrong.length > 0 && example.gold.length > 0) yield { example, wrong };
  }
}

/** Rows that follow one another and are of one example, together. */
async function* groupsOf<T extends { readonly exampleId: string }>(
  rows: AsyncIterable<T>,
): AsyncGenerator<{ readonly exampleId: string; readonly rows: readonly T[] }> {
  let group: T[] = [];
  for await (const row of rows) {
    const [first] = group;
    if (first !== undefined && first.exampleId !== row.exampleId) {
      yield { exampleId: first.exampleId, rows: group };
      group = [];
    }
    group.push(row);
  }
  const [first] = group;
  if (first !== undefined) yield { exampleId: first.exampleId, rows: group };
}

class ErrorJudge {
  readonly #services: JudgeErrorServices;
  readonly #work: DrainedWork;
  readonly #context: StageContext;
  #done = 0;

  private constructor(context: StageContext, services: JudgeErrorServices, work: DrainedWork) {
    this.#context = context;
    this.#services = services;
    this.#work = work;
  }

  static async open(options: Options, concurrency: number, context: StageContext): Promise<ErrorJudge> {
    const work = new DrainedWork(concurrency, context.signal);
    const { model: name, simulated, sampling, classes } = options;
    const model = await openDrained(options.role, context.models);
    const ledger = await context.ledger();
    const services = { model, name, simulated, sampling, classes, ledger, signal: work.signal };
    return new ErrorJudge(context, { ...services, seed: context.seed }, work);
  }

  async judge({ example, wrong }: WrongAnswers): Promise<JudgedError[]> {
    const asked = new Map<string | null, Promise<readonly string[] | null>>();
    const judged: JudgedError[] = [];
    for (const { trajectory, execution } of wrong) {
      const known = asked.get(trajectory.finalSql);
      asked.set(trajectory.finalSql, known ?? this.#ask(example, trajectory, execution));
    }
    const settled = await Promise.allSettled(asked.values());
    for (const one of settled) if (one.status === "rejected") this.#work.fail(one.reason);
    this.#work.throwIfEnded();
    const sqls = [...asked.keys()];
    for (const { trajectory } of wrong) {
      const one = settled[sqls.indexOf(trajectory.finalSql)];
      if (one?.status !== "fulfilled") continue;
      judged.push({ exampleId: example.id, trajectoryId: trajectory.id, classes: [...(one.value ?? [])] });
    }
    return judged;
  }

  /** Starts nothing new and waits for the replies in flight, so that they reach the ledger. */
  drain(): Promise<void> {
    return this.#work.drain("judging errors was ended");
  }

  /** @throws JUDGEMENTS_OPEN. */
  finish(): void {
    const { count, last } = this.#work.open;
    if (count === 0) return;
    throw new GradusError("JUDGEMENTS_OPEN", `${count} wrong answers were not judged by the model`, {
      hint: "run the same command again when the server answers: what was paid for is kept",
      cause: last,
    });
  }

  async #ask(
    { question, evidence, history, gold }: Example,
    { finalSql }: Trajectory,
    execution: Execution | null,
  ): Promise<readonly string[] | null> {
    const error = {
      question,
      evidence,
      history: history.map((turn) => turn.question),
      goldSql: gold[0] ?? "",
      predictedSql: finalSql,
      outcome: outcomeOf(execution),
    };
    const classes = await this.#work.run(() => judgeError(error, this.#services));
    this.#done += 1;
    this.#context.progress(this.#done, undefined, describeAccounts([this.#services.model.account()]));
    return classes;
  }
}

function outcomeOf(execution: Execution | null): string {
  if (execution === null) return "it was not run";
  const { status, message, rows, columns } = execution;
  if (status === "ok") return `${rows} rows of ${columns} columns, not the reference's result`;
  return status === "empty" ? "no rows, not the reference's result" : `${status}: ${message}`;
}
