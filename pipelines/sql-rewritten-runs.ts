import type { ResultTable } from "../core/execution.ts";
import { rewrittenPlace } from "./sql-protocol.ts";
import type { StatementRole } from "./sql-rewritten.ts";

/** A rewritten statement of a group on a file; its place is the same each time the group is judged. */
export interface RewrittenRun {
  readonly statement: number;
  /** Its result, once it ran and where it is kept. */
  table?: ResultTable;
}

/** The rewritten statements of a group, numbered in the order in which they are first asked for. */
export class RewrittenRuns {
  readonly #runs = new Map<string, RewrittenRun>();

  /** The run of a statement on a file: a prediction with the text of a gold that was asked for is that run. */
  runOf(sql: string, role: StatementRole, file: number): RewrittenRun {
    const known = this.#runs.get(`gold ${file} ${sql}`) ?? this.#runs.get(`${role} ${file} ${sql}`);
    if (known !== undefined) return known;
    const run = { statement: rewrittenPlace(this.#runs.size, role) };
    this.#runs.set(`${role} ${file} ${sql}`, run);
    return run;
  }
}

/** Rows of results that are kept for later: of one statement at most, and of all rewritten ones. */
const KEPT_ROWS = 2000;
const KEPT_ROWS_OF_ALL = 200_000;

/** Whether a result is kept for others that want it. */
export function isSmall(table: ResultTable): boolean {
  return heldRows(table) <= KEPT_ROWS;
}

/** Rows that come with a result; none with one that is over a limit. */
function heldRows({ execution }: ResultTable): number {
  return execution.status === "too_large" ? 0 : execution.rows;
}

/** Small results of the rewritten statements of a batch. */
export class KeptResults {
  readonly #tables = new Map<string, ResultTable>();
  #rows = 0;

  get(key: string): ResultTable | undefined {
    return this.#tables.get(key);
  }

  /** Keeps a result when it is small. */
  offer(key: string, table: ResultTable): void {
    if (!isSmall(table)) return;
    const rows = heldRows(table) + 1;
    if (this.#rows + rows > KEPT_ROWS_OF_ALL) {
      this.#tables.clear();
      this.#rows = 0;
    }
    this.#tables.set(key, table);
    this.#rows += rows;
  }
}
