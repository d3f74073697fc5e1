import { z } from "zod";
import { Finding } from "./finding.ts";

/** How many voters agree on one result, and an answer that gives it. */
export const VoteGroup = z.strictObject({ votes: z.int().positive(), sql: z.string() });
export type VoteGroup = z.infer<typeof VoteGroup>;

/** What samples of a question say of its gold: those of one result vote for it. */
export const Votes = z.strictObject({
  /** Samples with an answer. */
  voters: z.int().nonnegative(),
  /** Those whose answer ran. */
  ran: z.int().nonnegative(),
  /** Those whose answer is right by the gold. */
  agree: z.int().nonnegative(),
  /** The other results, the commonest first. */
  others: z.array(VoteGroup),
});
export type Votes = z.infer<typeof Votes>;

/** Why an example was not audited, or that it was. */
export const AuditStatus = z.enum(["audited", "database_missing", "database_unusable", "no_gold"]);
export type AuditStatus = z.infer<typeof AuditStatus>;

/** An example with what was found of its annotation. */
export const AuditedExample = z.strictObject({
  exampleId: z.string(),
  dataset: z.string(),
  split: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  question: z.string(),
  gold: z.string(),
  status: AuditStatus,
  /** How likely the annotation is wrong, by findings and votes, in [0, 1]. */
  score: z.number().min(0).max(1),
  /** Whether the score reaches the threshold. */
  flagged: z.boolean(),
  /** The more confident first. */
  findings: z.array(Finding),
  /** `null` without samples. */
  votes: Votes.nullable(),
});
export type AuditedExample = z.infer<typeof AuditedExample>;
