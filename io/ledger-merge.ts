import path from "node:path";
import { keyOf, sha256 } from "../core/key.ts";
import type { LedgerSample } from "../core/ledger.ts";
import { openLedgerConnection } from "./ledger-connection.ts";
import { identityConflict, ledgerError } from "./ledger-errors.ts";
import { storedCanonical, storedEquals, storedText } from "./ledger-json.ts";
import { foldJournal } from "./ledger-journal.ts";
import { LedgerRows, type EventRow, type SampleRow, type TurnRow } from "./ledger-rows.ts";

const PAGE_SAMPLES = 200;
const PAGE_EVENTS = 1_000;
const STATE_RANK = { finished: 0, discarded: 1, open: 2 } as const;

/** What merging did to the target. */
export interface LedgerMergeReport {
  /** Samples that the target did not have. */
  readonly added: number;
  /** Samples where a source's state of things was preferred over the target's. */
  readonly replaced: number;
  /** Ids, sorted, of samples that are finished in two ledgers with different trajectories. */
  readonly conflicts: readonly string[];
}

/**
 * Adds to the ledger `target` (made where there is none) what the ledgers `sources` hold; sources are read
 * only. Samples are one by their id. Where two ledgers differ on a sample, one side is preferred whole, by:
 * finished, then discarded, then open; of two different outcomes the one whose canonical JSON has the lesser
 * SHA-256; more turns; more observations; the lesser SHA-256 of the turns. The turns of the other side that
 * are not the preferred one's join the dropped turns; its outcome stays in its source alone. An event counts
 * as often as the ledger that has it most. So the result depends neither on the order of the sources nor on
 * how often each is merged, and an interrupted merge is completed by running it again.
 * @throws as `openLedger`, LEDGER_MISSING for a source, LEDGER_IDENTITY_CONFLICT, LEDGER_ROW_DAMAGED.
 */
export async function mergeLedgers(target: string, sources: readonly string[]): Promise<LedgerMergeReport> {
  const connection = await openLedgerConnection(target);
  try {
    const merge = new LedgerMerge(new LedgerRows(connection, target));
    for (const source of sources) {
      if (path.resolve(source) === path.resolve(target)) continue;
      await merge.add(source);
    }
    return merge.report();
  } catch (thrown) {
    throw ledgerError("merge ledgers", target, thrown);
  } finally {
    foldJournal(connection);
    connection.close();
  }
}

class LedgerMerge {
  readonly #target: LedgerRows;
  readonly #conflicts = new Set<string>();
  #added = 0;
  #replaced = 0;

  constructor(target: LedgerRows) {
    this.#target = target;
  }

  report(): LedgerMergeReport {
    return { added: this.#added, replaced: this.#replaced, conflicts: [...this.#conflicts].sort() };
  }

  async add(file: string): Promise<void> {
    const connection = await openLedgerConnection(file, { readOnly: true });
    try {
      const source = new LedgerRows(connection, file);
      this.#addSamples(source);
      this.#addEvents(source);
    } finally {
      connection.close();
    }
  }

  #addSamples(source: LedgerRows): void {
    let page = source.samplesAfter(undefined, PAGE_SAMPLES);
    while (page.length > 0) {
      const samples: readonly LedgerSample[] = page;
      this.#commit(() => {
        for (const sample of samples) this.#addSample(source, sample.sampleId);
      });
      page = source.samplesAfter(samples[samples.length - 1], PAGE_SAMPLES);
    }
  }

  #addSample(source: LedgerRows, id: string): void {
    const theirs = sideOf(source, id);
    if (theirs === undefined) return;
    const ours = sideOf(this.#target, id);
    if (ours === undefined) {
      this.#target.insertSample(theirs.sample);
      for (const turn of theirs.turns) this.#target.insertTurn(turn);
      this.#added += 1;
    } else {
      if (ours.sample.identity !== theirs.sample.identity) throw identityConflict(id, source.file);
      this.#settle(ours, theirs);
    }
    for (const dropped of source.droppedTurns(id)) this.#target.dropTurn(dropped);
  }

  #settle(ours: Side, theirs: Side): void {
    const id = ours.sample.sampleId;
    const outcomes = compareOutcomes(ours, theirs);
    if (ours.sample.state === "finished" && theirs.sample.state === "finished" && outcomes !== 0) {
      this.#conflicts.add(id);
    }
    const order = outcomes === 0 ? compareTurns(ours, theirs) : outcomes;
    if (order === 0) return;
    const [preferred, other] = order < 0 ? [ours, theirs] : [theirs, ours];
    for (const turn of other.turns) if (!holds(preferred, turn, other.file)) this.#target.dropTurn(turn);
    if (order < 0) return;
    this.#target.deleteTurns(id, 0);
    for (const turn of theirs.turns) this.#target.insertTurn(turn);
    this.#target.setOutcome(id, theirs.sample.state, theirs.sample.outcome);
    this.#replaced += 1;
  }

  #addEvents(source: LedgerRows): void {
    let page: EventRow[] = [];
    const raise = (): void => {
      this.#commit(() => {
        for (const event of page) this.#target.raiseEvent(event);
      });
      page = [];
    };
    for (const event of source.events()) {
      page.push(event);
      if (page.length === PAGE_EVENTS) raise();
    }
    raise();
  }

  #commit(write: () => void): void {
    this.#target.connection.transaction(write).immediate();
  }
}

/** A sample as one ledger has it. */
interface Side {
  readonly file: string;
  readonly sample: SampleRow;
  readonly turns: readonly TurnRow[];
}

function sideOf(rows: LedgerRows, id: string): Side | undefined {
  const sample = rows.sample(id);
  return sample === undefined ? undefined : { file: rows.file, sample, turns: rows.turns(id) };
}

/** Whether a side has a turn with the same request and reply, and no other observation. */
function holds(side: Side, turn: TurnRow, file: string): boolean {
  const same = side.turns[turn.turn];
  if (same === undefined || same.requestHash !== turn.requestHash) return false;
  const place = { file: side.file, sampleId: turn.sampleId, what: `turn ${turn.turn}` };
  const otherPlace = { ...place, file };
  if (!storedEquals(same.reply, storedText(turn.reply, otherPlace), place)) return false;
  if (turn.observation === null || same.observation === null) return turn.observation === null;
  return storedEquals(same.observation, storedText(turn.observation, otherPlace), place);
}

/** Negative where the left side's outcome is preferred, 0 for equal ones. */
function compareOutcomes(left: Side, right: Side): number {
  const ranks = STATE_RANK[left.sample.state] - STATE_RANK[right.sample.state];
  if (ranks !== 0 || left.sample.outcome === null) return ranks;
  const [leftOutcome, rightOutcome] = [outcomeOf(left), outcomeOf(right)];
  return leftOutcome === rightOutcome ? 0 : compareText(sha256(leftOutcome), sha256(rightOutcome));
}

function compareTurns(left: Side, right: Side): number {
  const turns = right.turns.length - left.turns.length;
  if (turns !== 0) return turns;
  const observations = countObservations(right) - countObservations(left);
  return observations === 0 ? compareText(digestOfTurns(left), digestOfTurns(right)) : observations;
}

function countObservations(side: Side): number {
  return side.turns.filter((turn) => turn.observation !== null).length;
}

function outcomeOf(side: Side): string {
  const { outcome, sampleId } = side.sample;
  return outcome === null ? "" : storedCanonical(outcome, { file: side.file, sampleId, what: "the outcome" });
}

function digestOfTurns(side: Side): string {
  return keyOf(
    side.turns.map((row) => {
      const place = { file: side.file, sampleId: row.sampleId, what: `turn ${row.turn}` };
      const observation = row.observation === null ? null : storedCanonical(row.observation, place);
      return [row.requestHash, storedCanonical(row.reply, place), observation];
    }),
  );
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
