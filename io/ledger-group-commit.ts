import type { Database } from "better-sqlite3";
import { GradusError } from "../core/errors.ts";
import { ledgerError } from "./ledger-errors.ts";

interface Waiting {
  readonly write: () => void;
  readonly resolve: () => void;
  readonly reject: (error: GradusError) => void;
}

/**
 * Gathers writes into one transaction per tick of the event loop. A write that throws a `GradusError`
 * before it has changed anything is refused alone; any other failure takes back and refuses the whole
 * transaction, and the next one starts afresh.
 */
export class LedgerGroupCommit {
  readonly #connection: Database;
  readonly #file: string;
  #waiting: Waiting[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(connection: Database, file: string) {
    this.#connection = connection;
    this.#file = file;
  }

  /** Resolves once the write is committed. Throws what the write throws, DISK_FULL, LEDGER_BUSY, LEDGER_FAILED. */
  add(write: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#scheduled ??= setImmediate(() => {
        this.flush();
      });
    });
  }

  /** Commits what has gathered so far; failures reach the promises of the writes. */
  flush(): void {
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const batch = this.#waiting;
    this.#waiting = [];
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
