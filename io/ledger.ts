import type { Database } from "better-sqlite3";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { canonicalJson, type Json } from "../core/key.ts";
import type { Ledger, LedgerEvent, LedgerOutcome, LedgerSample, LedgerTurn } from "../core/ledger.ts";
import { ModelReply } from "../core/model.ts";
import { SampleIdentity, Trajectory } from "../core/trajectory.ts";
import { openLedgerConnection, type LedgerOptions } from "./ledger-connection.ts";
import { identityConflict, ledgerError, malformed } from "./ledger-errors.ts";
import { LedgerGroupCommit } from "./ledger-group-commit.ts";
import { storedEquals, storedJson, storedValue, storeText, textOf, type StoredPlace } from "./ledger-json.ts";
import { foldJournal } from "./ledger-journal.ts";
import { LedgerRows, type SampleRow, type TurnRow } from "./ledger-rows.ts";

const PAGE_SAMPLES = 2_000;

/**
 * Opens a ledger, and makes it where there is none. A writer flushes every commit to the disk; a read-only
 * ledger can be read while another process writes. The caller holds the run's lock when it writes.
 * @throws LEDGER_MISSING (read-only), LEDGER_MALFORMED, LEDGER_NEWER, LEDGER_OLDER (read-only), LEDGER_BUSY,
 * DISK_FULL, FILE_FORBIDDEN, LEDGER_FAILED.
 */
export async function openLedger(file: string, options: LedgerOptions = {}): Promise<SqliteLedger> {
  const connection = await openLedgerConnection(file, options);
  try {
    return new SqliteLedger(connection, file);
  } catch (thrown) {
    connection.close();
    throw malformed(`cannot open ${file} as a ledger: a part of it is not there`, {
      site: { file },
      cause: thrown,
    });
  }
}

/**
 * The rollout ledger in a SQLite file. Reads see what is committed. A write that the ledger refuses by a code
 * (LEDGER_VALUE_INVALID, LEDGER_SAMPLE_MISSING, …) fails alone; DISK_FULL, LEDGER_BUSY and LEDGER_FAILED
 * fail every write of the same tick, and leave the ledger as it was and usable.
 */
export class SqliteLedger implements Ledger {
  readonly file: string;
  readonly #rows: LedgerRows;
  readonly #commits: LedgerGroupCommit;

  /** Takes over a connection of {@link openLedgerConnection}. */
  constructor(connection: Database, file: string) {
    this.file = file;
    this.#rows = new LedgerRows(connection, file);
    this.#commits = new LedgerGroupCommit(connection, file);
  }

  /** Throws LEDGER_VALUE_INVALID, LEDGER_IDENTITY_CONFLICT. */
  async openSample(id: string, identity: SampleIdentity): Promise<void> {
    textOf(SampleIdentity, identity, this.#place(id, "the identity"));
    const row: SampleRow = {
      sampleId: id,
      exampleId: identity.exampleId,
      round: identity.round,
      sampleIndex: identity.sampleIndex,
      state: "open",
      identity: canonicalJson(identity),
      outcome: null,
    };
    await this.#write(() => {
      const known = this.#rows.sample(id);
      if (known === undefined) this.#rows.insertSample(row);
      else if (known.identity !== row.identity) throw identityConflict(id, this.file);
    });
  }

  /** What a sample was opened with. Throws LEDGER_ROW_DAMAGED. */
  identity(sampleId: string): SampleIdentity | undefined {
    return this.#read(() => {
      const row = this.#rows.sample(sampleId);
      if (row === undefined) return undefined;
      return storedValue(SampleIdentity, row.identity, this.#place(sampleId, "the identity"));
    });
  }

  /** Throws LEDGER_ROW_DAMAGED. */
  turns(sampleId: string): readonly LedgerTurn[] {
    return this.#read(() => this.#rows.turns(sampleId).map((row) => this.#turn(row)));
  }

  /** The turns that were set aside and do not stand again, by turn. Throws LEDGER_ROW_DAMAGED. */
  droppedTurns(sampleId: string): readonly LedgerTurn[] {
    return this.#read(() => {
      const rows = this.#rows.droppedTurns(sampleId).filter((row) => !this.#rows.stands(row));
      return rows.map((row) => this.#turn(row));
    });
  }

  /**
   * Does nothing for a turn that is there with the same request hash and reply.
   * @throws LEDGER_VALUE_INVALID, LEDGER_SAMPLE_MISSING, LEDGER_TURN_CONFLICT for another request or reply,
   * LEDGER_TURN_GAP, LEDGER_SAMPLE_FINISHED, LEDGER_ROW_DAMAGED.
   */
  async commitReply(turn: Omit<LedgerTurn, "observation">): Promise<void> {
    const place = this.#place(turn.sampleId, `the reply of turn ${turn.turn}`);
    const text = textOf(ModelReply, turn.reply, place);
    const reply = storeText(text);
    await this.#write(() => {
      const state = this.#knownState(turn.sampleId);
      const known = this.#rows.turn(turn.sampleId, turn.turn);
      if (known !== undefined) {
        if (known.requestHash !== turn.requestHash) throw this.#turnConflict(turn, "another request");
        if (!storedEquals(known.reply, text, place)) throw this.#turnConflict(turn, "another reply");
        return;
      }
      if (state === "finished") throw this.#finished(turn.sampleId);
      const next = this.#rows.countTurns(turn.sampleId);
      if (turn.turn !== next) throw this.#turnGap(turn, next);
      this.#rows.insertTurn({ ...turn, reply, observation: null });
    });
  }

  /**
   * Does nothing where the turn has the same observation.
   * @throws KEY_NOT_JSON, LEDGER_TURN_MISSING, LEDGER_TURN_CONFLICT for another observation, LEDGER_ROW_DAMAGED.
   */
  async commitObservation(sampleId: string, turn: number, observation: Json): Promise<void> {
    canonicalJson(observation);
    const text = JSON.stringify(observation);
    const stored = storeText(text);
    await this.#write(() => {
      const known = this.#rows.turn(sampleId, turn);
      if (known === undefined) throw this.#turnMissing(sampleId, turn);
      if (known.observation === null) {
        this.#rows.setObservation(sampleId, turn, stored);
        return;
      }
      const place = this.#place(sampleId, `the observation of turn ${turn}`);
      if (!storedEquals(known.observation, text, place)) {
        throw this.#turnConflict({ sampleId, turn }, "another observation");
      }
    });
  }

  /** Throws LEDGER_SAMPLE_MISSING, LEDGER_SAMPLE_FINISHED, LEDGER_ROW_DAMAGED. */
  async dropTurnsFrom(sampleId: string, turn: number): Promise<void> {
    await this.#write(() => {
      if (this.#knownState(sampleId) === "finished") throw this.#finished(sampleId);
      this.#rows.connection.transaction(() => {
        for (const row of this.#rows.turns(sampleId)) if (row.turn >= turn) this.#rows.dropTurn(row);
        this.#rows.deleteTurns(sampleId, turn);
      })();
    });
  }

  /**
   * Does nothing where the sample has the same outcome. A trajectory is held against its schema when it is read.
   * @throws LEDGER_VALUE_INVALID for another sample's trajectory, LEDGER_SAMPLE_MISSING, LEDGER_OUTCOME_CONFLICT for another outcome,
   * LEDGER_ROW_DAMAGED.
   */
  async finish(sampleId: string, outcome: LedgerOutcome): Promise<void> {
    const place = this.#place(sampleId, "the outcome");
    const text =
      outcome.kind === "finished"
        ? JSON.stringify(this.#own(sampleId, outcome.trajectory))
        : JSON.stringify(outcome.reason);
    const stored = storeText(text);
    await this.#write(() => {
      const known = this.#knownSample(sampleId);
      if (known.outcome === null) {
        this.#rows.setOutcome(sampleId, outcome.kind, stored);
        return;
      }
      if (known.state === outcome.kind && storedEquals(known.outcome, text, place)) return;
      throw this.#refusal("LEDGER_OUTCOME_CONFLICT", sampleId, `it is ${known.state} with another outcome`);
    });
  }

  /** Throws LEDGER_ROW_DAMAGED. */
  outcome(sampleId: string): LedgerOutcome | undefined {
    return this.#read(() => {
      const row = this.#rows.sample(sampleId);
      if (row === undefined || row.outcome === null) return undefined;
      const place = this.#place(sampleId, "the outcome");
      if (row.state === "discarded") {
        return { kind: "discarded", reason: storedValue(z.string(), row.outcome, place) };
      }
      return { kind: "finished", trajectory: storedValue(Trajectory, row.outcome, place) };
    });
  }

  async record(event: LedgerEvent): Promise<void> {
    const { sampleId, turn, code, message } = event;
    await this.#write(() => {
      this.#rows.addEvent({ sampleId, turn, code, message, count: 1 });
    });
  }

  /** How often each event was recorded, by code. */
  eventCounts(): readonly { readonly code: string; readonly count: number }[] {
    return this.#read(() => this.#rows.eventCounts());
  }

  /** In pages, so writes may go on meanwhile; a sample opened behind the place of reading is not seen. */
  *samples(): Generator<LedgerSample, void, undefined> {
    let page = this.#read(() => this.#rows.samplesAfter(undefined, PAGE_SAMPLES));
    while (page.length > 0) {
      yield* page;
      const last = page[page.length - 1];
      page = this.#read(() => this.#rows.samplesAfter(last, PAGE_SAMPLES));
    }
  }

  samplesOf(exampleId: string): readonly LedgerSample[] {
    return this.#read(() => this.#rows.samplesOf(exampleId));
  }

  /** Commits what was written, and folds the journal into the file unless a reader is there. May be called twice. */
  async close(): Promise<void> {
    const { connection } = this.#rows;
    if (!connection.open) return;
    this.#commits.flush();
    if (!connection.readonly) foldJournal(connection);
    connection.close();
  }

  async #write(write: () => void): Promise<void> {
    this.#expectOpen();
    if (this.#rows.connection.readonly) {
      throw new GradusError("LEDGER_READ_ONLY", `cannot write to ${this.file}: it was opened to read`, {
        site: { file: this.file },
      });
    }
    await this.#commits.add(write);
  }

  #read<T>(read: () => T): T {
    this.#expectOpen();
    try {
      return read();
    } catch (thrown) {
      throw ledgerError("read the ledger", this.file, thrown);
    }
  }

  #expectOpen(): void {
    if (this.#rows.connection.open) return;
    throw new GradusError("LEDGER_CLOSED", `cannot use the ledger ${this.file}: it is closed`, {
      site: { file: this.file },
    });
  }

  #turn(row: TurnRow): LedgerTurn {
    const { sampleId, turn, requestHash } = row;
    const reply = storedValue(ModelReply, row.reply, this.#place(sampleId, `the reply of turn ${turn}`));
    const observation =
      row.observation === null
        ? null
        : storedJson(row.observation, this.#place(sampleId, `the observation of turn ${turn}`));
    return { sampleId, turn, requestHash, reply, observation };
  }

  #place(sampleId: string, what: string): StoredPlace {
    return { file: this.file, sampleId, what };
  }

  #knownSample(id: string): SampleRow {
    const row = this.#rows.sample(id);
    if (row === undefined) throw this.#missing(id);
    return row;
  }

  #knownState(id: string): LedgerSample["state"] {
    const state = this.#rows.state(id);
    if (state === undefined) throw this.#missing(id);
    return state;
  }

  #missing(id: string): GradusError {
    return this.#refusal("LEDGER_SAMPLE_MISSING", id, "it was never opened");
  }

  /** The trajectory, if it is that of this sample. */
  #own(sampleId: string, trajectory: Trajectory): Trajectory {
    if (trajectory.id === sampleId) return trajectory;
    throw new GradusError(
      "LEDGER_VALUE_INVALID",
      `cannot store the outcome of sample ${sampleId}: the trajectory is that of ${trajectory.id}`,
      { site: { file: this.file, rowId: sampleId }, hint: "this is a defect: please report it" },
    );
  }

  #turnConflict(turn: Pick<LedgerTurn, "sampleId" | "turn">, what: string): GradusError {
    return new GradusError(
      "LEDGER_TURN_CONFLICT",
      `cannot commit turn ${turn.turn} of sample ${turn.sampleId}: it is there with ${what}`,
      {
        site: { file: this.file, rowId: turn.sampleId },
        hint: "the code that asks has changed: drop the turns from this one on, then go on from there",
      },
    );
  }

  #turnGap(turn: Pick<LedgerTurn, "sampleId" | "turn">, next: number): GradusError {
    return this.#refusal("LEDGER_TURN_GAP", turn.sampleId, `got turn ${turn.turn}, expected turn ${next}`);
  }

  #turnMissing(sampleId: string, turn: number): GradusError {
    return this.#refusal("LEDGER_TURN_MISSING", sampleId, `it has no turn ${turn}`);
  }

  #finished(sampleId: string): GradusError {
    return this.#refusal("LEDGER_SAMPLE_FINISHED", sampleId, "it is finished");
  }

  #refusal(code: string, sampleId: string, why: string): GradusError {
    return new GradusError(code, `cannot change sample ${sampleId}: ${why}`, {
      site: { file: this.file, rowId: sampleId },
    });
  }
}
