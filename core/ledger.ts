import type { Json } from "./key.ts";
import type { ModelReply } from "./model.ts";
import type { SampleIdentity, Trajectory } from "./trajectory.ts";

/** A turn that was paid for: the completion, and the tool observations that it led to once they are known. */
export interface LedgerTurn {
  readonly sampleId: string;
  /** From 0. */
  readonly turn: number;
  /** `keyOf` the request. */
  readonly requestHash: string;
  readonly reply: ModelReply;
  /** Plain JSON of the scaffold's driver; `null` until the tools of this turn have answered. */
  readonly observation: Json;
}

/** How a sample ended. `discarded` is a tombstone: it was paid for, and is not asked for again. */
export type LedgerOutcome =
  | { readonly kind: "finished"; readonly trajectory: Trajectory }
  | { readonly kind: "discarded"; readonly reason: string };

/** A failure worth telling: typed, and never a sample. */
export interface LedgerEvent {
  readonly sampleId: string;
  readonly turn: number;
  readonly code: string;
  readonly message: string;
}

/** What a ledger holds of an example's samples, in index order, for deciding what is left. */
export interface LedgerSample {
  readonly sampleId: string;
  readonly exampleId: string;
  readonly sampleIndex: number;
  readonly round: number;
  readonly state: "open" | "finished" | "discarded";
}

/**
 * Paid-for work, turn by turn. A write counts once its promise resolves: it is committed by then. Writes
 * that come close together share a transaction.
 */
export interface Ledger {
  /** True where nothing is kept, so that hashes of requests need not be made. */
  readonly keepsNothing?: true;
  /** Makes a sample known; does nothing for one that is. */
  openSample(id: string, identity: SampleIdentity): Promise<void>;
  /** The committed turns of a sample in order. */
  turns(sampleId: string): readonly LedgerTurn[];
  commitReply(turn: Omit<LedgerTurn, "observation">): Promise<void>;
  commitObservation(sampleId: string, turn: number, observation: Json): Promise<void>;
  /**
   * Sets the turns from `turn` on aside, so that an episode whose requests have changed can go on from
   * there: a committed turn is replayed only where its request hash is the one that would be sent. They
   * were paid for, so they are kept, but no longer among `turns`.
   */
  dropTurnsFrom(sampleId: string, turn: number): Promise<void>;
  finish(sampleId: string, outcome: LedgerOutcome): Promise<void>;
  outcome(sampleId: string): LedgerOutcome | undefined;
  record(event: LedgerEvent): Promise<void>;
  /** Every sample, by example id, round and index. */
  samples(): Iterable<LedgerSample>;
  /** The samples of one example, by round and index. */
  samplesOf(exampleId: string): readonly LedgerSample[];
  close(): Promise<void>;
}
