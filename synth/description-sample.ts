import { identityOf, sha256 } from "../core/key.ts";
import type { LedgerSample } from "../core/ledger.ts";
import type { Sampling } from "../core/model.ts";
import type { ModelName, SampleIdentity } from "../core/trajectory.ts";
import { DESCRIBE_TABLE_PROMPT_VERSION } from "./prompts/describe-table.ts";

/** What stands in a ledger for the example of every description: they are of databases, not of questions. */
const DESCRIPTIONS = identityOf({ purpose: "describe-table" });

/** What decides a description. */
export interface DescriptionSource {
  readonly databaseId: string;
  readonly databaseDigest: string;
  readonly table: string;
  /** Everything that the model is shown. */
  readonly promptText: string;
  readonly model: ModelName;
  readonly sampling: Sampling;
}

/**
 * Whose sample a description is in a ledger. What is known of the table, its schema and its columns' statistics
 * enters with the digest of the prompt.
 */
export function descriptionIdentity(source: DescriptionSource): SampleIdentity {
  return {
    exampleId: DESCRIPTIONS,
    question: `${source.databaseId}.${source.table}`,
    evidence: null,
    history: [],
    schemaTextDigest: sha256(source.promptText),
    schemaDialect: null,
    profileDigest: null,
    databaseDigest: source.databaseDigest,
    scaffold: { id: "describe-table", version: DESCRIBE_TABLE_PROMPT_VERSION, options: {} },
    tools: [],
    model: source.model,
    sampling: source.sampling,
    round: 0,
    sampleIndex: 0,
  };
}

/** Whether a ledger's sample is a description and not the answer to a question. */
export function isDescription({ exampleId }: Pick<LedgerSample, "exampleId">): boolean {
  return exampleId === DESCRIPTIONS;
}
