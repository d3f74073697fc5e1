import type { Execution } from "../../core/execution.ts";
import type { ChangedField } from "./match-releases.ts";

/** What a release did to a question: the fields that differ, or that it came or went. */
export type ChangeKind = ChangedField | "added" | "removed";

/**
 * How close two results are, the closest that holds: the same rows in the same order, equally often, as a set, or not
 * the same.
 */
export type ResultRelation = "same_order" | "same_rows" | "same_set" | "different";

/** How a gold ended when it ran. */
export type GoldEnding = Pick<Execution, "status" | "message" | "rows">;

/** A system whose answer is judged otherwise under the new gold; `null` where there is no verdict. */
export interface MovedVerdict {
  readonly system: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** The result that most systems agree on. */
export interface Consensus {
  /** Systems whose answer ran. */
  readonly voters: number;
  readonly votes: number;
  /** The answer of the first of them. */
  readonly sql: string;
  readonly agreesWithBefore: boolean;
  readonly agreesWithAfter: boolean;
}

/** What running the golds of a changed question says. */
export interface ChangeEffect {
  readonly before: GoldEnding | null;
  readonly after: GoldEnding | null;
  /** `null` unless both ran. */
  readonly result: ResultRelation | null;
  /** Systems that are right under the old and under the new gold. */
  readonly rightBefore: number;
  readonly rightAfter: number;
  readonly moved: readonly MovedVerdict[];
  /** `null` when fewer than half of the voters, or fewer than two, agree. */
  readonly consensus: Consensus | null;
}

/** Why nothing was run: no release has SQL for it, none names its database, or there is no file of that. */
export type UnjudgedReason = "no_gold" | "database_unnamed" | "database_missing";

/** One question that a release changed. */
export interface ReleaseChange {
  /** The question's id, else its place. */
  readonly id: string;
  readonly databaseId: string | null;
  readonly changed: readonly ChangeKind[];
  readonly before: ReleaseTexts | null;
  readonly after: ReleaseTexts | null;
  /** Changed fields whose text says the same. */
  readonly sameText: readonly ChangedField[];
  /** `null` where nothing was run; `unjudged` says why. */
  readonly effect: ChangeEffect | null;
  readonly unjudged: UnjudgedReason | null;
  readonly signs: readonly ChangeSign[];
}

export interface ReleaseTexts {
  readonly question: string;
  readonly evidence: string | null;
  readonly gold: readonly string[] | null;
}

/**
 * What a change deserves to be looked at for. `no_op_text`: every changed field says the same. `no_op_result`: only
 * the gold changed, and its result has the same rows. `stops_running`, `becomes_empty`: it breaks what worked.
 * `starts_running`, `becomes_filled`: it repairs. `still_failing`: neither gold runs. `against_consensus`: most
 * systems agree on another result than the new gold's.
 */
export type ChangeSign =
  | "stops_running"
  | "becomes_empty"
  | "still_failing"
  | "against_consensus"
  | "no_op_text"
  | "no_op_result"
  | "starts_running"
  | "becomes_filled";

/** The signs of a change, the gravest first. */
export function signsOf(
  changed: readonly ChangeKind[],
  sameText: readonly ChangedField[],
  effect: ChangeEffect | null,
): ChangeSign[] {
  const signs: ChangeSign[] = [];
  const [before, after] = [effect?.before ?? null, effect?.after ?? null];
  if (before !== null && after !== null && changed.includes("gold")) {
    if (hasRun(before) && !hasRun(after)) signs.push("stops_running");
    if (before.status === "ok" && after.status === "empty") signs.push("becomes_empty");
    if (!hasRun(before) && !hasRun(after)) signs.push("still_failing");
  }
  if (effect?.consensus?.agreesWithAfter === false) signs.push("against_consensus");
  if (changed.length > 0 && changed.every((kind) => sameText.some((field) => field === kind)))
    signs.push("no_op_text");
  else if (changed.join() === "gold" && (effect?.result === "same_order" || effect?.result === "same_rows"))
    signs.push("no_op_result");
  if (before !== null && after !== null && changed.includes("gold")) {
    if (!hasRun(before) && hasRun(after)) signs.push("starts_running");
    if (before.status === "empty" && after.status === "ok") signs.push("becomes_filled");
  }
  return signs;
}

/** Whether a statement gave a result. */
export function hasRun({ status }: Pick<Execution, "status">): boolean {
  return status === "ok" || status === "empty";
}
