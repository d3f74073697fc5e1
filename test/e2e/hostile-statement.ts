import type { ExecutionStatus } from "../../core/execution.ts";

/** The databases that hostile statements run on. */
export type HostileDatabase = "shop" | "trap" | "torn" | "stats" | "loop";

/** A statement that tries something, and how its run may end. */
export interface HostileStatement {
  readonly sql: string;
  readonly database: HostileDatabase;
  readonly outcomes: readonly ExecutionStatus[];
  /** How it may end where the schema is explored, when that differs. */
  readonly explored?: readonly ExecutionStatus[];
  /** Whether it costs CPU or memory up to a limit. */
  readonly heavy: boolean;
}

type Traits = Partial<Omit<HostileStatement, "sql" | "outcomes">>;

/** Statements with the same outcomes (one, or several with `|` between them) and traits. */
export function hostile(
  outcomes: string,
  statements: readonly string[],
  traits: Traits = {},
): HostileStatement[] {
  const listed = outcomes.split("|") as ExecutionStatus[];
  return statements.map((sql) => ({ sql, outcomes: listed, database: "shop", heavy: false, ...traits }));
}
