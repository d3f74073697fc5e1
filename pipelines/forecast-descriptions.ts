import { Database } from "../core/database.ts";
import type { Ledger } from "../core/ledger.ts";
import type { Artifact, ArtifactStore } from "../io/artifact-store.ts";
import { ModelPrices } from "../io/models/client-options.ts";
import { describedParts } from "../synth/described-parts.ts";
import { isDescription } from "../synth/description-sample.ts";
import type { RunConfig } from "./config.ts";

/** What describing databases would ask for. Tokens are estimates at four characters a token. */
export interface DescriptionForecast {
  readonly model: string;
  /** Parts of tables to describe: one reply each, a second one where the first leaves something out. */
  readonly requests: number;
  /** Requests whose descriptions the ledger has. */
  readonly finishedSamples: number;
  readonly promptTokensAtLeast: number;
  readonly promptTokensAtMost: number;
  readonly completionTokensAtMost: number;
  /** In US dollars, for one reply each with half its token limit and for two; `null` without prices. */
  readonly costUsdAtLeast: number | null;
  readonly costUsdAtMost: number | null;
}

const CHARACTERS_A_TOKEN = 4;
/** Instructions, and the lines about the table. */
const REQUEST_CHARACTERS = 1_900;
/** What a column's line has: name, type, counts and five samples. */
const COLUMN_CHARACTERS = 180;
const MOST_REPLIES = 2;

/** Forecasts the descriptions of loaded databases, without asking anything; `null` where the config asks for none. */
export async function forecastDescriptions(
  { descriptions, models }: Pick<RunConfig, "descriptions" | "models">,
  databases: Artifact,
  using: { readonly store: ArtifactStore; readonly ledger: Ledger | null },
): Promise<DescriptionForecast | null> {
  if (descriptions === null) return null;
  let requests = 0;
  let columns = 0;
  for await (const database of using.store.rows(databases, "databases", Database)) {
    const parts = describedParts(database, descriptions);
    requests += parts.length;
    columns += parts.reduce((sum, part) => sum + part.columns.length, 0);
  }
  const role = models[descriptions.model];
  const prices = ModelPrices.safeParse(role?.client["prices"]).data;
  const promptTokens = Math.ceil(
    (requests * REQUEST_CHARACTERS + columns * COLUMN_CHARACTERS) / CHARACTERS_A_TOKEN,
  );
  const completionTokens = requests * descriptions.sampling.maxTokens;
  const cost = (prompt: number, completion: number): number | null =>
    prices === undefined
      ? null
      : (prompt * prices.promptUsdPerMillion + completion * prices.completionUsdPerMillion) / 1e6;
  return {
    model: role?.name ?? descriptions.model,
    requests,
    finishedSamples: finishedDescriptions(using.ledger),
    promptTokensAtLeast: promptTokens,
    promptTokensAtMost: promptTokens * MOST_REPLIES,
    completionTokensAtMost: completionTokens * MOST_REPLIES,
    costUsdAtLeast: cost(promptTokens, completionTokens / 2),
    costUsdAtMost: cost(promptTokens * MOST_REPLIES, completionTokens * MOST_REPLIES),
  };
}

function finishedDescriptions(ledger: Ledger | null): number {
  let finished = 0;
  for (const sample of ledger?.samples() ?? []) {
    if (sample.state === "finished" && isDescription(sample)) finished += 1;
  }
  return finished;
}
