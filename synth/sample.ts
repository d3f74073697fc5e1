import { pMapIterable } from "p-map";
import { z } from "zod";
import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import { sha256, type Json } from "../core/key.ts";
import type { PlugFinder, PlugReference } from "../core/plug.ts";
import { GoldRow, SampleGroup } from "../core/rows.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import type { ShownTurn } from "../core/tool.ts";
import { Trajectory } from "../core/trajectory.ts";
import { describeAccounts } from "./describe-accounts.ts";
import { DrainedWork } from "./drained-work.ts";
import { openDrained } from "./drained-model.ts";
import { inStep } from "./in-step.ts";
import { Openings } from "./openings.ts";
import {
  type OpenRollout,
  type OpenScaffold,
  type PlayedSample,
  playSample,
  type SampleServices,
} from "./play-sample.ts";
import { PredictedHistory } from "./predicted-history.ts";
import { type TakenGroup, takeGroup } from "./sample-group.ts";
import { SampleOptions, type RolloutOptions } from "./sample-options.ts";
import { historyPolicy, shownHistory } from "./shown-history.ts";
import type { SampleSays } from "./stop-early.ts";

const inputs = { examples: Example, databases: Database, golds: GoldRow };
/** How often a person is told of retries while nothing ends. */
const HEARTBEAT_MS = 5_000;

/** `linkings`: the episodes of schema linkers that came before those of `trajectories`, in their order. */
const outputs = { trajectories: Trajectory, groups: SampleGroup, linkings: Trajectory };

/**
 * Samples rollouts of every example that can be judged, by every rollout plan, `concurrency` episodes at a time
 * over all. What the ledger has is not asked again. Rows by example, then plan, then sample index.
 * @throws SAMPLES_OPEN when the model was unavailable for some samples: everything else is in the ledger and
 * the same command goes on from there. MODEL_KEY_REFUSED, MODEL_REQUEST_REFUSED, MODEL_CHANGED,
 * MODEL_BUDGET_SPENT, MODEL_CIRCUIT_OPEN, INTERRUPTED end the stage at once, after the replies in flight.
 */
export const sampleStage = defineStage({
  name: "sample",
  version: 2,
  inputs,
  outputs,
  options: SampleOptions,
  runtime: z.strictObject({ concurrency: z.int().positive().default(64) }),
  plugs: async (options, finder) => [
    { kind: "schema-dialect", id: options.dialect },
    ...(await scaffoldsAndTools(options, finder)),
    ...(options.rollouts.some(({ stopEarly }) => stopEarly !== null)
      ? [{ kind: "metric", id: options.judge.metric } as const]
      : []),
  ],
  async *run({ inputs: rows, options, runtime, context }) {
    const sampler = await Sampler.open(options, runtime.concurrency, context);
    for await (const database of rows.databases()) sampler.addDatabase(database);
    let total = 0;
    for await (const _ of rows.examples()) total += 1;
    const episodesEach = options.rollouts.reduce((sum, { samples }) => sum + samples, 0);
    sampler.expect(total * episodesEach);
    const examples = inStep(rows.examples(), rows.golds());
    const width = Math.ceil(runtime.concurrency / mostInFlight(options.rollouts)) + 1;
    const taken = pMapIterable(examples, (item) => sampler.take(item.example, item.gold), {
      concurrency: width,
      backpressure: width * 2,
    });
    const heartbeat = setInterval(() => sampler.beat(), HEARTBEAT_MS);
    try {
      for await (const groups of taken) {
        for (const { group, trajectories, linkings } of groups) {
          for (const row of trajectories) yield { port: "trajectories", row } as const;
          for (const row of linkings) yield { port: "linkings", row } as const;
          yield { port: "groups", row: group } as const;
        }
      }
    } finally {
      clearInterval(heartbeat);
      await sampler.drain();
    }
    sampler.finish();
  },
});

/** The scaffolds of the rollouts and the tools that they use, each once. */
async function scaffoldsAndTools(options: SampleOptions, finder: PlugFinder): Promise<PlugReference[]> {
  const found = new Map<string, PlugReference>();
  const add = async (id: string, given: Readonly<Record<string, Json>>): Promise<void> => {
    const scaffold = await finder.find("scaffold", id);
    found.set(`scaffold ${id}`, { kind: "scaffold", id });
    const parsed: unknown = scaffold.options.parse(given);
    for (const tool of scaffold.tools(parsed)) found.set(`tool ${tool.id}`, { kind: "tool", id: tool.id });
    const prelude = scaffold.prelude?.(parsed) ?? null;
    if (prelude !== null && prelude !== "gold_links") await add(prelude.scaffold, prelude.options);
  };
  for (const plan of options.rollouts) await add(plan.scaffold, plan.options);
  return [...found.values()];
}

interface Group {
  readonly group: SampleGroup;
  readonly trajectories: readonly Trajectory[];
  readonly linkings: readonly Trajectory[];
}

/** Episodes of one example that can be in flight at once. */
function mostInFlight(rollouts: readonly RolloutOptions[]): number {
  return rollouts.reduce(
    (sum, { samples, stopEarly, lookahead }) =>
      sum + (stopEarly === null ? samples : Math.min(samples, lookahead)),
    0,
  );
}

class Sampler {
  readonly #options: SampleOptions;
  readonly #context: StageContext;
  readonly #services: SampleServices;
  readonly #rollouts: readonly OpenRollout[];
  readonly #work: DrainedWork;
  readonly #histories = new PredictedHistory();
  #done = 0;
  #total = 0;

  private constructor(
    options: SampleOptions,
    context: StageContext,
    parts: {
      services: SampleServices;
      rollouts: readonly OpenRollout[];
      work: DrainedWork;
    },
  ) {
    this.#options = options;
    this.#context = context;
    this.#services = parts.services;
    this.#rollouts = parts.rollouts;
    this.#work = parts.work;
  }

  static async open(options: SampleOptions, concurrency: number, context: StageContext): Promise<Sampler> {
    const rollouts = await Promise.all(options.rollouts.map((plan) => openRollout(plan, context)));
    const dialect = await context.plugs.find("schema-dialect", options.dialect);
    const { profile: profileOptions, retrievesValues, round } = options;
    const { profiler, sql, seed } = context;
    const work = new DrainedWork(concurrency, context.signal);
    const services = {
      openings: new Openings({ dialect, retrievesValues, profileOptions }, profiler),
      dialect,
      profileOptions,
      profiler,
      ledger: await context.ledger(),
      sql,
      signal: work.signal,
      round,
      seed,
    };
    return new Sampler(options, context, { services, rollouts, work });
  }

  addDatabase(database: Database): void {
    this.#services.openings.addDatabase(database);
  }

  expect(episodes: number): void {
    this.#total = episodes;
  }

  /** The groups of one example; none for one that cannot be judged or belongs to another part. */
  async take(example: Example, gold: GoldRow): Promise<Group[]> {
    const database = this.#services.openings.database(example.databaseId);
    if (database === undefined || gold.reason !== "ok" || !isInPart(example, this.#options.part)) {
      this.#progress(this.#rollouts.reduce((sum, { plan }) => sum + plan.samples, 0));
      return [];
    }
    const groups: Group[] = [];
    for (const taken of await Promise.allSettled(
      this.#rollouts.map((rollout, place) => this.#takeGroup(example, rollout, { database, place })),
    )) {
      if (taken.status === "fulfilled") groups.push(taken.value);
      else this.#work.fail(taken.reason);
    }
    this.#work.throwIfEnded();
    return groups;
  }

  /** Starts nothing new and waits for the replies in flight, so that they reach the ledger. */
  drain(): Promise<void> {
    return this.#work.drain("sampling was ended");
  }

  /** Ends the stage. @throws SAMPLES_OPEN. */
  finish(): void {
    const { count, last } = this.#work.open;
    if (count === 0) return;
    throw new GradusError("SAMPLES_OPEN", `${count} groups have samples that the model did not answer`, {
      hint: "run the same command again when the server answers: finished samples are kept",
      cause: last,
    });
  }

  async #takeGroup(
    example: Example,
    rollout: OpenRollout,
    { database, place }: { readonly database: Database; readonly place: number },
  ): Promise<Group> {
    const { plan } = rollout;
    const linkings: (Trajectory | null)[] = [];
    const taken = await takeGroup({
      samples: plan.samples,
      stopEarly: plan.stopEarly,
      lookahead: plan.lookahead,
      play: async (sampleIndex) => {
        const played = await this.#play(example, rollout, { place, sampleIndex });
        linkings[sampleIndex] = played?.linking ?? null;
        return played?.trajectory;
      },
      judge: (trajectory) => this.#judge(example, database, trajectory),
    });
    this.#progress(plan.samples - taken.trajectories.length);
    return {
      trajectories: taken.trajectories,
      linkings: taken.trajectories.flatMap(({ sampleIndex }) => linkings[sampleIndex] ?? []),
      group: this.#groupOf(example, plan, taken),
    };
  }

  #groupOf(example: Example, plan: RolloutOptions, { trajectories, stopRule }: TakenGroup): SampleGroup {
    return {
      exampleId: example.id,
      model: plan.model,
      setting: plan.scaffold,
      round: this.#options.round,
      planned: plan.samples,
      sampled: trajectories.length,
      stopRule,
    };
  }

  /** Plays a sample once it is its turn; one that sees predicted history first waits for the turn before. */
  #play(
    example: Example,
    rollout: OpenRollout,
    { place, sampleIndex }: { readonly place: number; readonly sampleIndex: number },
  ): Promise<PlayedSample | undefined> {
    const play = (history: readonly ShownTurn[]): Promise<PlayedSample | undefined> =>
      this.#work.run(() => this.#playNow(example, rollout, { sampleIndex, history }));
    const policy = rollout.history;
    if (policy !== "predicted") return play(shownHistory(example, policy));
    return this.#histories.take(example, { rollout: place, sampleIndex }, async (history) => {
      const played = await play(history);
      return { value: played, sql: played?.trajectory.finalSql ?? null };
    });
  }

  async #playNow(
    example: Example,
    rollout: OpenRollout,
    at: { readonly sampleIndex: number; readonly history: readonly ShownTurn[] },
  ): Promise<PlayedSample | undefined> {
    const played = await playSample(example, rollout, at, this.#services);
    this.#progress(1);
    return played;
  }

  /** Says where sampling stands though nothing has ended: a server that does not answer shows in the retries. */
  beat(): void {
    this.#progress(0);
  }

  #progress(episodes: number): void {
    this.#done += episodes;
    const accounts = [...new Set(this.#rollouts.map(({ model }) => model))].map((model) => model.account());
    this.#context.progress(this.#done, this.#total, describeAccounts(accounts));
  }

  /** What a sample says by the metric; one without a score is judged once more before it says nothing. */
  async #judge(example: Example, database: Database, trajectory: Trajectory): Promise<SampleSays> {
    if (trajectory.finalSql === null) return "wrong";
    const { metric, goldLimits, predictionLimits } = this.#options.judge;
    const request = {
      database,
      gold: example.gold,
      predictions: [trajectory.finalSql],
      metrics: [metric],
      goldLimits: goldLimits satisfies ExecutionLimits,
      predictionLimits: predictionLimits satisfies ExecutionLimits,
    };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const verdict = (await this.#context.judge.judge(request)).answers[0]?.verdicts[metric];
      if (verdict?.status === "scored") return verdict.score === 1 ? "right" : "wrong";
    }
    return "nothing";
  }
}

/**
 * A rollout plan with its plugs and its model.
 * @throws EPISODE_OPTIONS_INVALID for one that shows predicted history and stops early, PLUG_UNKNOWN, MODEL_ROLE_UNKNOWN.
 */
export async function openRollout(
  plan: RolloutOptions,
  context: Pick<StageContext, "plugs" | "models">,
): Promise<OpenRollout> {
  const { plugs } = context;
  const opened = await openScaffold(plan.scaffold, plan.options, plugs);
  const history = historyPolicy(opened.scaffold, plan.options);
  if (history === "predicted" && plan.stopEarly !== null) throw predictedEarly(plan);
  const prelude = opened.scaffold.prelude?.(opened.scaffold.options.parse(plan.options)) ?? null;
  return {
    ...opened,
    plan,
    history,
    model: await openDrained(plan.role, context.models),
    prelude:
      prelude === null || prelude === "gold_links"
        ? prelude
        : await openScaffold(prelude.scaffold, prelude.options, plugs),
  };
}

async function openScaffold(id: string, options: OpenScaffold["options"], plugs: PlugFinder) {
  const scaffold = await plugs.find("scaffold", id);
  const uses = scaffold.tools(scaffold.options.parse(options));
  return { scaffold, options, tools: await Promise.all(uses.map((use) => plugs.find("tool", use.id))) };
}

function predictedEarly(plan: RolloutOptions): GradusError {
  return new GradusError(
    "EPISODE_OPTIONS_INVALID",
    `the rollouts of ${plan.scaffold} show predicted history and stop early: a turn that ends early leaves later turns without what they show`,
    { site: { plug: plan.scaffold }, hint: "set stopEarly to null, or show gold history or questions alone" },
  );
}

/** Whole dialogues, since a later turn may see what was answered to the turns before it. */
function isInPart(example: Example, part: SampleOptions["part"]): boolean {
  if (part === null) return true;
  const { dialogue, dataset } = example;
  const id = dialogue === null ? example.id : sha256(JSON.stringify([dataset.name, dialogue.id]));
  return Number.parseInt(id.slice(0, 8), 16) % part.count === part.index - 1;
}
