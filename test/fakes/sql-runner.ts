import type { ExecutionStatus } from "../../core/execution.ts";
import type { QueryReply, QueryRequest, ShownCell, SqlRunner } from "../../core/sql-runner.ts";

/** A table as a runner brings it back; `all` counts its rows where not all of them are here. */
export function tableReply(
  columnNames: readonly string[],
  rows: readonly (readonly ShownCell[])[],
  all = rows.length,
): QueryReply {
  return {
    execution: {
      status: all === 0 ? "empty" : "ok",
      message: "",
      rows: all,
      columns: columnNames.length,
      digest: "0".repeat(32),
      orderedDigest: "0".repeat(32),
    },
    columnNames: [...columnNames],
    rows: rows.map((row) => [...row]),
  };
}

/** A statement that gave no rows for a reason. */
export function failedReply(status: ExecutionStatus, message: string): QueryReply {
  return {
    execution: { status, message, rows: 0, columns: 0, digest: "", orderedDigest: "" },
    columnNames: [],
    rows: [],
  };
}

/**
 * A runner with hand-made replies by statement; any other is a syntax error. Gives back as many rows as are
 * asked for. Keeps the requests; `failure`, while set, is thrown instead.
 */
export class FakeSqlRunner implements SqlRunner {
  readonly requests: QueryRequest[] = [];
  failure: Error | null = null;
  readonly #replies: Readonly<Record<string, QueryReply>>;

  constructor(replies: Readonly<Record<string, QueryReply>> = {}) {
    this.#replies = replies;
  }

  async query(request: QueryRequest): Promise<QueryReply> {
    this.requests.push(request);
    if (this.failure !== null) throw this.failure;
    const reply = Object.hasOwn(this.#replies, request.sql) ? this.#replies[request.sql] : undefined;
    if (reply === undefined) return failedReply("error", `near "${request.sql.slice(0, 20)}": syntax error`);
    return { ...reply, rows: reply.rows.slice(0, request.maxShownRows) };
  }
}
