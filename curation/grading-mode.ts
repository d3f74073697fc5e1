/** How an answer is fairly compared with its gold. */
export type GradingMode = "set" | "multiset" | "ordered" | "subset";

/**
 * How LIMIT cuts a gold's rows: `none` without LIMIT, `clean` where the rows it leaves out differ in their order keys
 * or are equal to those it keeps, `tie` where they do not, `unordered` where rows are left out without ORDER BY,
 * `unknown` where the order keys cannot be had from the text.
 */
export type RowCut = "none" | "clean" | "tie" | "unordered" | "unknown";

/** What text and data say of one gold. */
export interface GradingFacts {
  readonly ordersRows: boolean;
  /** Whether no two rows can be equal, by the text. */
  readonly uniqueRows: boolean;
  /** Rows of its result. */
  readonly rows: number;
  readonly cut: RowCut;
  /** Whether the LIMIT of a subquery that runs by itself cuts at a tie, or without ORDER BY. */
  readonly cutsInside: boolean;
  /** Whether a row that LIMIT keeps came first because it has NULL in an order key. */
  readonly nullFirst: boolean;
  /** Columns of numeric text that are put in order as text, as `table.column by MAX`. */
  readonly numericText: readonly string[];
  /** Calls that read the clock. */
  readonly clock: readonly string[];
  /** Calls that give random values. */
  readonly random: readonly string[];
  /** Columns neither grouped nor aggregated that have more than one value in a group. */
  readonly bareColumns: readonly string[];
  /** Whether its rows change when tables are read in the reverse order. */
  readonly dependsOnRowOrder: boolean;
}

export type FindingKind =
  | "limit_tie"
  | "limit_without_order"
  | "limit_unknown"
  | "subquery_limit"
  | "null_first"
  | "numeric_text"
  | "clock"
  | "random"
  | "bare_column"
  | "row_order";

/** A reason why the data do not determine what a gold gives, or not what its question asks for. */
export interface GradingFinding {
  readonly kind: FindingKind;
  readonly message: string;
}

export interface Grading {
  readonly mode: GradingMode;
  /** Rows that an answer must have, in mode `subset`. */
  readonly k?: number;
  /** Empty for a gold whose result its data determine. */
  readonly findings: readonly GradingFinding[];
}

/**
 * The mode of a gold by the first that holds:
 *
 * | mode | when | an answer is right with |
 * | --- | --- | --- |
 * | `subset` | LIMIT cuts among rows of equal order keys, or without ORDER BY | all rows before the tie, and as many of the tied ones as make k |
 * | `ordered` | the outermost query has ORDER BY | the same rows, in any order only where order keys are equal |
 * | `set` | rows are unique by the text: DISTINCT, a set operator, every grouped expression selected | the same rows, repeated or not |
 * | `multiset` | otherwise | the same rows, each equally often |
 */
export function gradingMode(facts: GradingFacts): Grading {
  const findings = findingsOf(facts);
  if (facts.cut === "tie" || facts.cut === "unordered") return { mode: "subset", k: facts.rows, findings };
  if (facts.ordersRows) return { mode: "ordered", findings };
  return { mode: facts.uniqueRows ? "set" : "multiset", findings };
}

const CUTS: Readonly<Partial<Record<RowCut, GradingFinding>>> = {
  tie: { kind: "limit_tie", message: "LIMIT cuts between different rows of equal order keys" },
  unordered: { kind: "limit_without_order", message: "LIMIT leaves rows out and no ORDER BY says which" },
  unknown: {
    kind: "limit_unknown",
    message: "whether LIMIT cuts at a tie cannot be told from the statement",
  },
};

function findingsOf(facts: GradingFacts): GradingFinding[] {
  const findings: GradingFinding[] = [];
  const add = (kind: FindingKind, message: string): void => {
    findings.push({ kind, message });
  };
  const cut = CUTS[facts.cut];
  if (cut !== undefined) findings.push(cut);
  if (facts.cutsInside)
    add("subquery_limit", "the LIMIT of a subquery cuts between different rows of one rank");
  if (facts.nullFirst) add("null_first", "NULL is sorted first, so LIMIT keeps rows without a value");
  for (const use of facts.numericText) add("numeric_text", `numbers are compared as text: ${use}`);
  for (const call of facts.clock) add("clock", `${call} changes with the day it runs`);
  for (const call of facts.random) add("random", `${call} differs from run to run`);
  for (const column of facts.bareColumns) {
    add("bare_column", `${column} is neither grouped nor aggregated and has several values in a group`);
  }
  if (facts.dependsOnRowOrder) add("row_order", "its rows change with the order in which tables are read");
  return findings;
}
