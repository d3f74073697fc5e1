import type { Database } from "better-sqlite3";
import { GradusError } from "../core/errors.ts";
import { ledgerError } from "./ledger-errors.ts";

/** A transaction of so many writes shows that many callers write at once. */
const BUSY_WRITES = 4;
/** How long the next one then gathers: nothing next to a completion, and a fraction of the flushes. */
const GATHER_MS = 5;

interface Waiting {
  readonly write: () => void;
  readonly resolve: () => void;
  readonly reject: (error: GradusError) => void;
}

/**
 * Gathers writes into one transaction per tick of the event loop, and for {@link GATHER_MS} after a
 * transaction that had many. A write that throws a `GradusError`
 * before it has changed anything is refused alone; any other failure takes back and refuses the whole
 * transaction, and the next one starts afresh.
 */
export class LedgerGroupCommit {
  readonly #connection: Database;
  readonly #file: string;
  #waiting: Waiting[] = [];
  #wasBusy = false;
  /** Takes back the flush that is due. */
  #unschedule: (() => void) | undefined;

  constructor(connection: Database, file: string) {
    this.#connection = connection;
    this.#file = file;
  }

  /** Resolves once the write is committed. Throws what the write throws, DISK_FULL, LEDGER_BUSY, LEDGER_FAILED. */
  add(write: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#unschedule ??= this.#schedule();
    });
  }

  /** Commits what has gathered so far; failures reach the promises of the writes. */
  flush(): void {
    this.#unschedule?.();
    this.#unschedule = undefined;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#wasBusy = batch.length >= BUSY_WRITES;
    if (batch.length === 0) return;
    const refused = new Map<Waiting, GradusError>();
    let failure: GradusError | undefined;
    try {
      this.#connection.transaction(() => applyAll(batch, refused)).immediate();
    } catch (thrown) {
      failure = ledgerError("commit to the ledger", this.#file, thrown);
    }
    for (const waiting of batch) {
      const error = refused.get(waiting) ?? failure;
      if (error === undefined) waiting.resolve();
      else waiting.reject(error);
    }
  }

  #schedule(): () => void {
    const flush = (): void => this.flush();
    if (this.#wasBusy) {
      const timer = setTimeout(flush, GATHER_MS);
      return () => clearTimeout(timer);
    }
    const immediate = setImmediate(flush);
    return () => clearImmediate(immediate);
  }
}

function applyAll(batch: readonly Waiting[], refused: Map<Waiting, GradusError>): void {
  for (const waiting of batch) {
    try {
      waiting.write();
    } catch (thrown) {
      if (!(thrown instanceof GradusError)) throw thrown;
      refused.set(waiting, thrown);
    }
  }
}
