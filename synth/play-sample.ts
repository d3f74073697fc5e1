import type { Database } from "../core/database.ts";
import type { DatabaseProfiler, ProfileOptions } from "../core/database-profiler.ts";
import type { Example } from "../core/example.ts";
import type { Json } from "../core/key.ts";
import type { Ledger } from "../core/ledger.ts";
import type { Model } from "../core/model.ts";
import type { Scaffold } from "../core/scaffold.ts";
import type { SchemaDialect } from "../core/schema-dialect.ts";
import type { SqlRunner } from "../core/sql-runner.ts";
import type { ShownTurn, Tool } from "../core/tool.ts";
import type { LinkedTable, Trajectory } from "../core/trajectory.ts";
import { goldLinks } from "./gold-links.ts";
import type { Openings } from "./openings.ts";
import { type EpisodeServices, runEpisode } from "./run-episode.ts";
import type { HistoryPolicy } from "./shown-history.ts";
import type { RolloutOptions } from "./sample-options.ts";

/** A scaffold with its options and tools. */
export interface OpenScaffold {
  readonly scaffold: Scaffold;
  readonly options: Readonly<Record<string, Json>>;
  readonly tools: readonly Tool[];
}

/** A rollout plan with its plugs and its model; `prelude` is the scaffold whose episode comes first, if any. */
export interface OpenRollout extends OpenScaffold {
  readonly plan: RolloutOptions;
  readonly model: Model;
  readonly history: HistoryPolicy;
  readonly prelude: OpenScaffold | "gold_links" | null;
}

/** What samples are played on. */
export interface SampleServices {
  readonly openings: Openings;
  readonly dialect: SchemaDialect;
  readonly profileOptions: ProfileOptions;
  readonly profiler: DatabaseProfiler;
  readonly ledger: Ledger;
  readonly sql: SqlRunner;
  readonly signal: AbortSignal;
  readonly round: number;
  readonly seed: number;
  /** As an episode's. */
  readonly watch?: EpisodeServices["watch"];
}

/** A finished sample: the answer's trajectory, and the linker's before it where there was one. */
export interface PlayedSample {
  readonly trajectory: Trajectory;
  readonly linking: Trajectory | null;
}

/**
 * Plays one sample: the linker's episode first where the scaffold asks for one, then the answer's on the
 * schema that it leaves. A linker that ends without links leaves the whole schema. Nothing waits for other
 * samples. `undefined` for a sample that was discarded.
 * @paper DualSQL, a pipeline per prompt that chains linker and generator without a barrier; which schema
 * follows a failed linker is not in the paper
 * @throws as {@link runEpisode} and {@link Openings}.
 */
export async function playSample(
  example: Example,
  rollout: OpenRollout,
  at: { readonly sampleIndex: number; readonly history: readonly ShownTurn[] },
  services: SampleServices,
): Promise<PlayedSample | undefined> {
  const { prelude } = rollout;
  let linking: Trajectory | null = null;
  let links: readonly LinkedTable[] | null = null;
  if (prelude === "gold_links") {
    links = goldLinks(example, services.openings.database(example.databaseId) as Database);
  } else if (prelude !== null) {
    const linked = await playEpisode(example, rollout, { ...at, scaffold: prelude, links: null }, services);
    if (linked === undefined) return undefined;
    linking = linked;
    links = linked.links ?? null;
  }
  const trajectory = await playEpisode(example, rollout, { ...at, scaffold: rollout, links }, services);
  return trajectory === undefined ? undefined : { trajectory, linking };
}

async function playEpisode(
  example: Example,
  { plan, model }: OpenRollout,
  part: {
    readonly sampleIndex: number;
    readonly history: readonly ShownTurn[];
    readonly scaffold: OpenScaffold;
    readonly links: readonly LinkedTable[] | null;
  },
  services: SampleServices,
): Promise<Trajectory | undefined> {
  const { scaffold, options, tools } = part.scaffold;
  const { openings, dialect, profileOptions, profiler, ledger, sql, signal } = services;
  const { opening, profile } = await openings.prepare({
    example,
    history: part.history,
    links: part.links,
    needsProfile: tools.some((tool) => tool.needsProfile === true),
  });
  const outcome = await runEpisode(
    {
      opening,
      schemaDialect: { id: dialect.id, version: dialect.version, options: {} },
      profile,
      profileOptions,
      scaffold,
      options,
      tools,
      model: plan.model,
      sampling: plan.sampling,
      maxCompletionTokens: plan.maxCompletionTokens,
      round: services.round,
      sampleIndex: part.sampleIndex,
      seed: services.seed,
    },
    {
      model,
      ledger,
      sql,
      profiler,
      signal,
      ...(services.watch === undefined ? {} : { watch: services.watch }),
    },
  );
  if (outcome.kind === "discarded") return undefined;
  return plan.simulated ? { ...outcome.trajectory, source: "simulated" } : outcome.trajectory;
}
