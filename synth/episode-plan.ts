import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import type { DatabaseProfile } from "../core/database-profile.ts";
import type { ProfileOptions } from "../core/database-profiler.ts";
import { keyOf, sha256, type Json } from "../core/key.ts";
import type { Sampling } from "../core/model.ts";
import type { Opening, Scaffold } from "../core/scaffold.ts";
import type { Tool } from "../core/tool.ts";
import type { ModelName, PlugUse, SampleIdentity } from "../core/trajectory.ts";

/** Everything that decides an episode, apart from what the model says. */
export interface EpisodePlan {
  readonly opening: Opening;
  /** The dialect that wrote the opening's schema text. */
  readonly schemaDialect: PlugUse | null;
  /** The database's profile where the scaffold's tools or the schema text show it; `null` elsewhere. */
  readonly profile: DatabaseProfile | null;
  readonly profileOptions: ProfileOptions;
  readonly scaffold: Scaffold;
  /** Options of the scaffold; what is left out gets its default. */
  readonly options: Readonly<Record<string, Json>>;
  /** The tools that the scaffold names, in any order; others are left alone. */
  readonly tools: readonly Tool[];
  /** Its name is the one that the server knows. */
  readonly model: ModelName;
  /** Where to stop is the scaffold's. */
  readonly sampling: Omit<Sampling, "stop">;
  /** Completion tokens of the whole episode; `null` for no limit. */
  readonly maxCompletionTokens: number | null;
  readonly round: number;
  readonly sampleIndex: number;
  /** The run's seed, from which every request gets one of its own; `null` for servers that take none. */
  readonly seed: number | null;
}

/** A tool with its options, as the scaffold sets them. */
export interface ToolInUse {
  readonly tool: Tool;
  readonly options: unknown;
  readonly use: PlugUse;
}

/** A plan with its options checked and its tools found. */
export interface ResolvedPlan {
  readonly plan: EpisodePlan;
  readonly options: unknown;
  /** In the scaffold's order. */
  readonly tools: readonly ToolInUse[];
  readonly sampling: Sampling;
  readonly identity: SampleIdentity;
}

/**
 * Checks a plan, and says whose sample its episode is. The token limit is one of the sampling parameters of
 * the identity where there is one.
 * @throws EPISODE_OPTIONS_INVALID, EPISODE_TOOL_MISSING for a tool that the scaffold names and the plan lacks.
 */
export function resolvePlan(plan: EpisodePlan): ResolvedPlan {
  const { scaffold, opening, maxCompletionTokens } = plan;
  const scaffoldUse = useOf(scaffold, plan.options);
  const options: unknown = scaffoldUse.options;
  const tools = scaffold.tools(options).map(({ id, options: toolOptions }): ToolInUse => {
    const tool = plan.tools.find((candidate) => candidate.id === id);
    if (tool === undefined) throw toolMissing(plan, id);
    const use = useOf(tool, toolOptions);
    return { tool, options: use.options, use };
  });
  const sampling: Sampling = { ...plan.sampling, stop: [...scaffold.stops(options)] };
  const { example, database } = opening;
  const identity: SampleIdentity = {
    exampleId: example.id,
    question: example.question,
    evidence: example.evidence,
    history: opening.history.map(({ question, sql }) => ({ question, sql })),
    schemaTextDigest: sha256(opening.schemaText),
    schemaDialect: plan.schemaDialect,
    profileDigest: plan.profile === null ? null : profileDigest(plan.profile),
    databaseDigest: database.digest === "" ? null : database.digest,
    scaffold: scaffoldUse,
    tools: tools.map(({ use }) => use),
    model: plan.model,
    sampling: maxCompletionTokens === null ? sampling : { ...sampling, maxCompletionTokens },
    round: plan.round,
    sampleIndex: plan.sampleIndex,
  };
  return { plan, options, tools, sampling, identity };
}

/** Digests of profiles, which many episodes share. */
const PROFILE_DIGESTS = new WeakMap<DatabaseProfile, string>();

function profileDigest(profile: DatabaseProfile): string {
  const digest = PROFILE_DIGESTS.get(profile) ?? keyOf(profile);
  PROFILE_DIGESTS.set(profile, digest);
  return digest;
}

const PlugOptions = z.record(z.string(), z.json());

function useOf(plug: Scaffold | Tool, given: Readonly<Record<string, Json>>): PlugUse {
  const parsed = plug.options.pipe(PlugOptions).safeParse(given);
  if (parsed.success) return { id: plug.id, version: plug.version, options: parsed.data };
  throw new GradusError(
    "EPISODE_OPTIONS_INVALID",
    `cannot use the ${plug.kind} ${plug.id} with its options: ${z.prettifyError(parsed.error)}`,
    { site: { plug: plug.id }, hint: `correct the options of ${plug.id}` },
  );
}

function toolMissing({ scaffold, tools }: EpisodePlan, id: string): GradusError {
  const got = tools.map((tool) => tool.id).join(", ");
  return new GradusError(
    "EPISODE_TOOL_MISSING",
    `the scaffold ${scaffold.id} uses the tool ${id}, got ${got === "" ? "no tools" : got}`,
    { site: { plug: scaffold.id }, hint: `give the plan the tool ${id}` },
  );
}
