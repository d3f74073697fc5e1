import { z } from "zod";
import type { Votes } from "../core/audit.ts";
import type { DatabaseSchema } from "../core/database.ts";
import type { Example } from "../core/example.ts";
import type { Finding } from "../core/finding.ts";
import { goldFacts } from "../sql/gold-facts.ts";
import { askedText, isSpokenOf } from "./asked-text.ts";

/** When samples outvote a gold. */
export const ConsensusOptions = z.strictObject({
  /** Fewer samples that ran say nothing. */
  minVoters: z.int().positive().default(3),
  /** The lead of the commonest other result over the gold, as a share of all that ran, at which a gold is as likely wrong as right. */
  evenLead: z.number().min(0).max(1).default(0.24),
  /** How fast certainty grows with the lead. */
  steepness: z.number().positive().default(8),
  /** The share that the commonest other result must have to count in full. */
  fullShare: z.number().positive().max(1).default(0.5),
});
export type ConsensusOptions = z.infer<typeof ConsensusOptions>;

/**
 * How likely samples make a gold's being wrong, in [0, 1]: a logistic function of the lead of the commonest other
 * result, less where the samples agree on nothing. 0 with too few samples.
 */
export function outvoted({ ran, agree, others }: Votes, options: ConsensusOptions): number {
  const most = others[0]?.votes ?? 0;
  if (ran < options.minVoters || most === 0) return 0;
  const lead = (most - agree) / ran;
  const certainty = 1 / (1 + Math.exp(-options.steepness * (lead - options.evenLead)));
  return certainty * Math.min(1, most / ran / options.fullShare);
}

/** Below this the votes are no finding. */
const LEAST_DOUBT = 0.2;

/**
 * The finding that samples outvote a gold; `null` where they do not. Where their answer looks for what the question
 * does not speak of, they may have been asked another release of it: that is said, and nothing is suggested.
 */
export function consensusFinding(
  example: Example,
  votes: Votes,
  { options, schema }: { readonly options: ConsensusOptions; readonly schema: DatabaseSchema },
): Finding | null {
  const confidence = outvoted(votes, options);
  const [first] = votes.others;
  if (confidence < LEAST_DOUBT || first === undefined) return null;
  const unasked = unaskedTexts(first.sql, example, schema);
  const doubt =
    unasked.length === 0 ? "" : `; they look for ${unasked.join(", ")}, of which the question says nothing`;
  return {
    exampleId: example.id,
    dataset: example.dataset.name,
    split: example.dataset.split,
    sourceId: example.sourceId,
    check: "consensus",
    kind: "outvoted",
    severity: confidence >= 0.5 ? "error" : "warning",
    confidence,
    message: `${first.votes} of ${votes.ran} samples agree on another result, ${votes.agree} on that of the gold${doubt}`,
    evidence: { voters: votes.voters, ran: votes.ran, agree: votes.agree, others: votes.others, unasked },
    suggestion: unasked.length === 0 ? { field: "gold", after: first.sql } : null,
  };
}

function unaskedTexts(sql: string, example: Example, schema: DatabaseSchema): string[] {
  const asked = askedText(example);
  const texts = goldFacts(sql, schema).literals.filter(
    ({ kind, column }) => kind === "text" && column !== null,
  );
  return [...new Set(texts.map(({ value }) => value))].filter((value) => !isSpokenOf(value, asked));
}
