import { RecentMap } from "../../core/recent-map.ts";
import type { QueryReply, QueryRequest, SqlRunner } from "../../core/sql-runner.ts";

/** Cells that are remembered at most, of all replies together; a reply weighs one more than it has cells. */
const CAPACITY = 2_000_000;

/** A runner that runs a statement once on a database, however often it is asked for, while it remembers. */
export class RememberingRunner implements SqlRunner {
  readonly #runner: SqlRunner;
  readonly #replies = new RecentMap<string, QueryReply>(CAPACITY);
  readonly #running = new Map<string, Promise<QueryReply>>();

  constructor(runner: SqlRunner) {
    this.#runner = runner;
  }

  query(request: QueryRequest): Promise<QueryReply> {
    const { database, ...asked } = request;
    const key = JSON.stringify([database.databaseId, database.digest, asked]);
    const known = this.#replies.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = this.#runner.query(request).then(
      (reply) => {
        this.#running.delete(key);
        const weight = 1 + reply.rows.reduce((cells, row) => cells + row.length, 0);
        this.#replies.set(key, reply, weight);
        return reply;
      },
      (thrown: unknown) => {
        this.#running.delete(key);
        throw thrown;
      },
    );
    this.#running.set(key, started);
    return started;
  }
}
