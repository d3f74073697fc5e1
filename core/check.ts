import type { Database } from "./database.ts";
import type { Example } from "./example.ts";
import type { FindingSeverity, FindingSuggestion } from "./finding.ts";
import type { GoldFacts } from "./gold-facts.ts";
import type { QueryReply } from "./sql-runner.ts";

/** A reason why the data do not determine what a gold gives, in the terms of the grading modes. */
export interface UndeterminedReason {
  readonly kind: string;
  readonly message: string;
}

/** Another example that asks the same question of the same database. */
export interface SameQuestion {
  readonly sourceId: string;
  readonly gold: string;
  /** Digest of its gold's rows; empty where it gave none. */
  readonly digest: string;
}

/** An example with everything that is known of it; gathered once, the same for every check. */
export interface CheckSubject {
  readonly example: Example;
  /** The gold that is shown: the first accepted one. */
  readonly sql: string;
  readonly facts: GoldFacts;
  readonly database: Database;
  /** How the gold ended, with its first rows. */
  readonly execution: QueryReply;
  /** Empty for a gold whose result its data determine, or that did not run. */
  readonly undetermined: readonly UndeterminedReason[];
  /** The others, in the order of the dataset. */
  readonly sameQuestion: readonly SameQuestion[];
}

/** A statement that a check wants run on the database of its example. Equal ones run once for each database. */
export interface Probe {
  /** What the check calls it. */
  readonly name: string;
  readonly sql: string;
  /** Rows to bring back. */
  readonly maxRows: number;
}

/** The probes that ran, by name. */
export type ProbeAnswers = ReadonlyMap<string, QueryReply>;

/** What a check doubts, and why. */
export interface Doubt {
  /** One of the check's kinds. */
  readonly kind: string;
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly suggestion?: FindingSuggestion;
}

/** What a kind of doubt means. */
export interface DoubtKind {
  readonly severity: FindingSeverity;
  /** The share of such doubts that are expected to be right, in [0, 1]. */
  readonly confidence: number;
  /** For a person, in one line. */
  readonly meaning: string;
  /**
   * Where it stands in the published taxonomies: `wretblad` 1 spelling to 6 question that does not map, `kang` E1 to
   * E4, `nl2sql-bugs` categories, `audit` the codes of the published audits.
   */
  readonly taxonomy: Readonly<Partial<Record<"wretblad" | "kang" | "nl2sql-bugs" | "audit", string>>>;
}

/**
 * A check looks at one example for one way in which its annotation can be wrong. Pure: facts and answers to its probes
 * in, doubts out; it sees one release, and never a corrected gold.
 */
export interface Check {
  readonly kind: "check";
  readonly id: string;
  /** Bumped when its doubts can change. */
  readonly version: number;
  /** What it looks for, in one line. */
  readonly title: string;
  readonly kinds: Readonly<Record<string, DoubtKind>>;
  /** Statements to run first; asked again with their answers, up to three times, for what those call for. */
  probes?(subject: CheckSubject, answers: ProbeAnswers): readonly Probe[];
  find(subject: CheckSubject, answers: ProbeAnswers): readonly Doubt[];
}

/** Types a check plug; the file's stem is its id. */
export function defineCheck(check: Omit<Check, "kind">): Check {
  return { kind: "check", ...check };
}
