import { Database } from "../core/database.ts";
import { Example } from "../core/example.ts";
import type { Ledger } from "../core/ledger.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { Artifact, ArtifactStore } from "../io/artifact-store.ts";
import { kindOf } from "../io/files.ts";
import { openLedger } from "../io/ledger.ts";
import { ModelPrices } from "../io/models/client-options.ts";
import { isDescription } from "../synth/description-sample.ts";
import type { RolloutConfig, RunConfig } from "./config.ts";
import { type DescriptionForecast, forecastDescriptions } from "./forecast-descriptions.ts";
import type { Pipeline, PortLink } from "./pipeline.ts";
import { createPlugFinder } from "./plugs.ts";
import type { RunResult } from "./runner.ts";

/** What the samples of one rollout plan would ask for. Tokens are estimates at four characters a token. */
export interface RolloutForecast {
  readonly model: string;
  readonly scaffold: string;
  readonly episodes: number;
  /** Replies: one for each episode at least, every turn of its budget at most. */
  readonly repliesAtLeast: number;
  readonly repliesAtMost: number;
  readonly promptTokensAtLeast: number;
  readonly promptTokensAtMost: number;
  readonly completionTokensAtMost: number;
  /** In US dollars, for the least replies with half their token limit and for the most; `null` without prices. */
  readonly costUsdAtLeast: number | null;
  readonly costUsdAtMost: number | null;
}

/** A forecast of a sampling step, and what its ledger already holds. */
export interface SamplingForecast {
  readonly questions: number;
  readonly finishedSamples: number;
  readonly rollouts: readonly RolloutForecast[];
}

/** What the steps of a run that ask models have yet to ask, by step. */
export interface Forecasts {
  readonly sampling: Readonly<Record<string, SamplingForecast>>;
  readonly descriptions: Readonly<Record<string, DescriptionForecast>>;
}

const CHARACTERS_A_TOKEN = 4;
/** Instructions and the question, around the schema text. */
const PROMPT_CHARACTERS = 1_600;

/** A dry run, and where its ledger would lie. */
export interface PendingRequest {
  readonly config: RunConfig;
  readonly pipeline: Pipeline;
  readonly result: RunResult;
  readonly store: ArtifactStore;
  readonly ledgerFile: string;
}

/** Forecasts of the steps that ask models, have not run, and whose questions and databases are loaded. */
export async function forecastPending(request: PendingRequest): Promise<Forecasts> {
  const { config, pipeline, result, store, ledgerFile } = request;
  const sampling: Record<string, SamplingForecast> = {};
  const descriptions: Record<string, DescriptionForecast> = {};
  const ledger =
    (await kindOf(ledgerFile)) === "file" ? await openLedger(ledgerFile, { readOnly: true }) : null;
  try {
    for (const { id, inputs, stage } of pipeline) {
      const { examples, databases } = inputs;
      if (stage.name === "describe-databases" && !result.artifacts.has(id)) {
        const from = result.artifacts.get(databases?.step ?? "");
        const forecast = from && (await forecastDescriptions(config, from, { store, ledger }));
        if (forecast) descriptions[id] = forecast;
      }
      if (stage.name !== "sample" || result.artifacts.has(id) || examples === undefined) continue;
      const loaded = result.artifacts.get(examples.step);
      const profiled = databasesAt(databases, pipeline, result);
      if (loaded === undefined || profiled === undefined) continue;
      const rollouts = id === "sample" ? config.answers.rollouts : (config.evaluation?.rollouts ?? []);
      const plugs = createPlugFinder();
      const parts = { config, rollouts, examples: loaded, examplesPort: examples.port, databases: profiled };
      sampling[id] = await forecastSampling({ ...parts, store, plugs, ledger });
    }
  } finally {
    await ledger?.close();
  }
  return { sampling, descriptions };
}

/** The databases of a link; those without descriptions where a model has yet to write them. */
function databasesAt(
  link: PortLink | undefined,
  pipeline: Pipeline,
  { artifacts }: RunResult,
): Artifact | undefined {
  if (link === undefined) return undefined;
  const from = pipeline.find(({ id }) => id === link.step);
  const isDescribing = from?.stage.name === "describe-databases";
  const before = isDescribing ? artifacts.get(from?.inputs["databases"]?.step ?? "") : undefined;
  return artifacts.get(link.step) ?? before;
}

/** What a forecast is made from. */
export interface ForecastRequest {
  readonly config: Pick<RunConfig, "models" | "prompt">;
  readonly rollouts: readonly RolloutConfig[];
  readonly examples: Artifact;
  readonly examplesPort: string;
  readonly databases: Artifact;
  readonly store: ArtifactStore;
  readonly plugs: PlugFinder;
  /** `null` before the first sample. */
  readonly ledger: Ledger | null;
}

/** Forecasts a sampling step from the loaded questions, without asking anything. */
export async function forecastSampling(request: ForecastRequest): Promise<SamplingForecast> {
  const { questions, promptTokens } = await measurePrompts(request);
  let finishedSamples = 0;
  for (const sample of request.ledger?.samples() ?? []) {
    if (sample.state === "finished" && !isDescription(sample)) finishedSamples += 1;
  }
  const rollouts: RolloutForecast[] = [];
  for (const rollout of request.rollouts) {
    rollouts.push(await forecastRollout(rollout, { ...request, questions, promptTokens }));
  }
  return { questions, finishedSamples, rollouts };
}

async function measurePrompts(
  request: ForecastRequest,
): Promise<{ questions: number; promptTokens: number }> {
  const { store, examples, examplesPort, databases, config } = request;
  const dialect = await request.plugs.find("schema-dialect", config.prompt.dialect);
  const lengths = new Map<string, number>();
  for await (const database of store.rows(databases, "databases", Database)) {
    lengths.set(database.databaseId, dialect.render(database).length);
  }
  let questions = 0;
  let characters = 0;
  for await (const example of store.rows(examples, examplesPort, Example)) {
    questions += 1;
    characters +=
      PROMPT_CHARACTERS + (lengths.get(example.databaseId) ?? 0) + (example.evidence?.length ?? 0);
  }
  return { questions, promptTokens: Math.ceil(characters / CHARACTERS_A_TOKEN) };
}

/** Replies that a sample may have, over all its episodes, and how many episodes it has. */
async function turnsOf(
  { scaffold: id, options }: RolloutConfig,
  plugs: PlugFinder,
): Promise<{ maxTurns: number; parts: number }> {
  const scaffold = await plugs.find("scaffold", id);
  const parsed: unknown = scaffold.options.parse(options);
  const maxTurns = scaffold.maxTurns(parsed);
  const prelude = scaffold.prelude?.(parsed) ?? null;
  if (prelude === null || prelude === "gold_links") return { maxTurns, parts: 1 };
  const first = await plugs.find("scaffold", prelude.scaffold);
  return { maxTurns: maxTurns + first.maxTurns(first.options.parse(prelude.options)), parts: 2 };
}

async function forecastRollout(
  rollout: RolloutConfig,
  facts: Pick<ForecastRequest, "config" | "plugs"> & {
    readonly questions: number;
    readonly promptTokens: number;
  },
): Promise<RolloutForecast> {
  const { maxTurns, parts } = await turnsOf(rollout, facts.plugs);
  const episodes = facts.questions * rollout.samples;
  const prompts = facts.promptTokens * rollout.samples;
  const perReply = rollout.sampling.maxTokens;
  const budget = rollout.maxCompletionTokens ?? Number.POSITIVE_INFINITY;
  const perSample = Math.min(maxTurns * perReply, budget * parts);
  /** Every turn sends the prompt and all replies before it again. */
  const promptTokensAtMost = prompts * maxTurns + (episodes * perSample * (maxTurns - 1)) / 2;
  const completionTokensAtMost = episodes * perSample;
  const role = facts.config.models[rollout.model];
  const prices = ModelPrices.safeParse(role?.client["prices"]).data;
  const cost = (prompt: number, completion: number): number | null =>
    prices === undefined
      ? null
      : (prompt * prices.promptUsdPerMillion + completion * prices.completionUsdPerMillion) / 1e6;
  return {
    model: role?.name ?? rollout.model,
    scaffold: rollout.scaffold,
    episodes,
    repliesAtLeast: episodes * parts,
    repliesAtMost: episodes * maxTurns,
    promptTokensAtLeast: prompts * parts,
    promptTokensAtMost: Math.ceil(promptTokensAtMost),
    completionTokensAtMost,
    costUsdAtLeast: cost(prompts * parts, (episodes * parts * perReply) / 2),
    costUsdAtMost: cost(promptTokensAtMost, completionTokensAtMost),
  };
}
