import type { Database, Statement } from "better-sqlite3";
import { sha256 } from "../core/key.ts";
import type { LedgerSample } from "../core/ledger.ts";
import { storedCanonical, type StoredJson } from "./ledger-json.ts";

/** A row of `samples`. `outcome` is the trajectory of a finished sample, the reason of a discarded one. */
export interface SampleRow extends LedgerSample {
  readonly identity: string;
  readonly outcome: StoredJson | null;
}

/** A row of `turns`. */
export interface TurnRow {
  readonly sampleId: string;
  readonly turn: number;
  readonly requestHash: string;
  readonly reply: StoredJson;
  readonly observation: StoredJson | null;
}

/** A row of `dropped_turns`. `replyDigest` is the SHA-256 of the reply's canonical JSON. */
export interface DroppedTurnRow extends TurnRow {
  readonly replyDigest: string;
}

/** A row of `events`: equal events of one turn are counted. */
export interface EventRow {
  readonly sampleId: string;
  readonly turn: number;
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

const SAMPLE = "id AS sampleId, example_id AS exampleId, sample_index AS sampleIndex, round, state";
const IN_ORDER = "ORDER BY example_id, round, sample_index, id";
const TURN = "sample_id AS sampleId, turn, request_hash AS requestHash, reply, observation";
const ADD_EVENT = `INSERT INTO events (sample_id, turn, code, message, count)
  VALUES (@sampleId, @turn, @code, @message, @count) ON CONFLICT DO UPDATE SET count =`;

/** The rows of a ledger, read and written one by one. Synchronous; transactions are the caller's. */
export class LedgerRows {
  readonly connection: Database;
  readonly file: string;
  readonly #sample: Statement<[string], SampleRow>;
  readonly #state: Statement<[string], LedgerSample["state"]>;
  readonly #page: Statement<[string, number, number, string, number], LedgerSample>;
  readonly #samplesOf: Statement<[string], LedgerSample>;
  readonly #insertSample: Statement<[SampleRow]>;
  readonly #setOutcome: Statement<[string, StoredJson | null, string]>;
  readonly #turns: Statement<[string], TurnRow>;
  readonly #turn: Statement<[string, number], TurnRow>;
  readonly #countTurns: Statement<[string], number>;
  readonly #insertTurn: Statement<[TurnRow]>;
  readonly #setObservation: Statement<[StoredJson, string, number]>;
  readonly #deleteTurns: Statement<[string, number]>;
  readonly #droppedTurns: Statement<[string], DroppedTurnRow>;
  readonly #putDroppedTurn: Statement<[DroppedTurnRow]>;
  readonly #events: Statement<[], EventRow>;
  readonly #addEvent: Statement<[EventRow]>;
  readonly #raiseEvent: Statement<[EventRow]>;
  readonly #eventCounts: Statement<[], { readonly code: string; readonly count: number }>;

  /** Throws what the engine throws where a table is not there. */
  constructor(connection: Database, file: string) {
    this.connection = connection;
    this.file = file;
    this.#sample = connection.prepare(`SELECT ${SAMPLE}, identity, outcome FROM samples WHERE id = ?`);
    this.#state = connection
      .prepare<[string], LedgerSample["state"]>("SELECT state FROM samples WHERE id = ?")
      .pluck();
    this.#page = connection.prepare(
      `SELECT ${SAMPLE} FROM samples WHERE (example_id, round, sample_index, id) > (?, ?, ?, ?) ${IN_ORDER} LIMIT ?`,
    );
    this.#samplesOf = connection.prepare(`SELECT ${SAMPLE} FROM samples WHERE example_id = ? ${IN_ORDER}`);
    this.#insertSample = connection.prepare(
      `INSERT INTO samples (id, example_id, round, sample_index, state, identity, outcome)
       VALUES (@sampleId, @exampleId, @round, @sampleIndex, @state, @identity, @outcome)`,
    );
    this.#setOutcome = connection.prepare("UPDATE samples SET state = ?, outcome = ? WHERE id = ?");
    this.#turns = connection.prepare(`SELECT ${TURN} FROM turns WHERE sample_id = ? ORDER BY turn`);
    this.#turn = connection.prepare(`SELECT ${TURN} FROM turns WHERE sample_id = ? AND turn = ?`);
    this.#countTurns = connection
      .prepare<[string], number>("SELECT count(*) FROM turns WHERE sample_id = ?")
      .pluck();
    this.#insertTurn = connection.prepare(
      `INSERT INTO turns (sample_id, turn, request_hash, reply, observation)
       VALUES (@sampleId, @turn, @requestHash, @reply, @observation)`,
    );
    this.#setObservation = connection.prepare(
      "UPDATE turns SET observation = ? WHERE sample_id = ? AND turn = ?",
    );
    this.#deleteTurns = connection.prepare("DELETE FROM turns WHERE sample_id = ? AND turn >= ?");
    this.#droppedTurns = connection.prepare(
      `SELECT ${TURN}, reply_digest AS replyDigest FROM dropped_turns WHERE sample_id = ?
       ORDER BY turn, request_hash, reply_digest`,
    );
    this.#putDroppedTurn = connection.prepare(
      `INSERT OR REPLACE INTO dropped_turns (sample_id, turn, request_hash, reply_digest, reply, observation)
       VALUES (@sampleId, @turn, @requestHash, @replyDigest, @reply, @observation)`,
    );
    this.#events = connection.prepare("SELECT sample_id AS sampleId, turn, code, message, count FROM events");
    this.#addEvent = connection.prepare(`${ADD_EVENT} count + excluded.count`);
    this.#raiseEvent = connection.prepare(`${ADD_EVENT} max(count, excluded.count)`);
    this.#eventCounts = connection.prepare(
      "SELECT code, sum(count) AS count FROM events GROUP BY code ORDER BY code",
    );
  }

  /** A sample's state alone: its identity and outcome are long. */
  state(id: string): LedgerSample["state"] | undefined {
    return this.#state.get(id);
  }

  sample(id: string): SampleRow | undefined {
    return this.#sample.get(id);
  }

  /** At most `limit` samples behind `after` (from the first for `undefined`), by example id, round, index and id. */
  samplesAfter(after: LedgerSample | undefined, limit: number): LedgerSample[] {
    if (after === undefined) return this.#page.all("", -1, -1, "", limit);
    return this.#page.all(after.exampleId, after.round, after.sampleIndex, after.sampleId, limit);
  }

  samplesOf(exampleId: string): LedgerSample[] {
    return this.#samplesOf.all(exampleId);
  }

  insertSample(row: SampleRow): void {
    this.#insertSample.run(row);
  }

  setOutcome(id: string, state: LedgerSample["state"], outcome: StoredJson | null): void {
    this.#setOutcome.run(state, outcome, id);
  }

  turns(sampleId: string): TurnRow[] {
    return this.#turns.all(sampleId);
  }

  turn(sampleId: string, turn: number): TurnRow | undefined {
    return this.#turn.get(sampleId, turn);
  }

  countTurns(sampleId: string): number {
    return this.#countTurns.get(sampleId) ?? 0;
  }

  insertTurn(row: TurnRow): void {
    this.#insertTurn.run(row);
  }

  setObservation(sampleId: string, turn: number, observation: StoredJson): void {
    this.#setObservation.run(observation, sampleId, turn);
  }

  deleteTurns(sampleId: string, from: number): void {
    this.#deleteTurns.run(sampleId, from);
  }

  /** By turn, request hash and digest; with those that stand again, with the same request and reply. */
  droppedTurns(sampleId: string): DroppedTurnRow[] {
    return this.#droppedTurns.all(sampleId);
  }

  /** Whether a dropped turn stands again, with the same request and reply. Throws LEDGER_ROW_DAMAGED. */
  stands(dropped: DroppedTurnRow): boolean {
    const standing = this.#turn.get(dropped.sampleId, dropped.turn);
    if (standing === undefined || standing.requestHash !== dropped.requestHash) return false;
    return this.replyDigest(standing) === dropped.replyDigest;
  }

  /**
   * Keeps a turn that no longer stands. One with the same request and reply is there once: with an
   * observation rather than without, and of two with the lesser canonical JSON. Throws LEDGER_ROW_DAMAGED.
   */
  dropTurn(row: TurnRow): void {
    const replyDigest = this.replyDigest(row);
    const twin = this.#droppedTurns
      .all(row.sampleId)
      .find((other) => sameReply(other, { ...row, replyDigest }));
    if (twin !== undefined && !this.#tellsMore(row, twin)) return;
    this.#putDroppedTurn.run({ ...row, replyDigest });
  }

  #tellsMore(row: TurnRow, twin: TurnRow): boolean {
    if (row.observation === null) return false;
    if (twin.observation === null) return true;
    const place = { file: this.file, sampleId: row.sampleId, what: `the observation of turn ${row.turn}` };
    return storedCanonical(row.observation, place) < storedCanonical(twin.observation, place);
  }

  /** SHA-256 of the canonical JSON of a turn's reply. Throws LEDGER_ROW_DAMAGED. */
  replyDigest(row: TurnRow): string {
    const place = { file: this.file, sampleId: row.sampleId, what: `the reply of turn ${row.turn}` };
    return sha256(storedCanonical(row.reply, place));
  }

  /** Every event. The connection takes no write until the iteration ends. */
  events(): IterableIterator<EventRow> {
    return this.#events.iterate();
  }

  /** Adds to the count of an event. */
  addEvent(row: EventRow): void {
    this.#addEvent.run(row);
  }

  /** Raises the count of an event to at least `row.count`. */
  raiseEvent(row: EventRow): void {
    this.#raiseEvent.run(row);
  }

  /** By code. */
  eventCounts(): { readonly code: string; readonly count: number }[] {
    return this.#eventCounts.all();
  }
}

function sameReply(left: DroppedTurnRow, right: DroppedTurnRow): boolean {
  return (
    left.turn === right.turn &&
    left.requestHash === right.requestHash &&
    left.replyDigest === right.replyDigest
  );
}
