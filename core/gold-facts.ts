/** A column as a statement uses it, with the table that the schema says it is of. */
export interface UsedColumn {
  /** The table's name as the schema has it; `null` for a column of a subquery, or of no known table. */
  readonly table: string | null;
  /** As the schema has it where it is known, else as written. */
  readonly column: string;
  /** Which use of a table it is of: the place of the source in its FROM and of its SELECT, as `0.1`. */
  readonly source: string;
  /** As written, with its qualifier. */
  readonly text: string;
}

/** A text or number written into a statement, and what it is held against. */
export interface UsedLiteral {
  readonly kind: "text" | "number";
  /** Without quotes. */
  readonly value: string;
  /** `=`, `!=`, `<`, `>`, `<=`, `>=`, `like`, `in`, `between`, `glob`; `limit`; `other` where it is compared with nothing. */
  readonly operator: string;
  /** The column that stands by itself on the other side. */
  readonly column: UsedColumn | null;
  /** The function that is called on the other side, in lower case, and the text of the call; `null` for none. */
  readonly call: { readonly name: string; readonly text: string } | null;
  /** Where it stands in the statement, quotes included. */
  readonly start: number;
  readonly end: number;
  /** The SELECT that it stands in, and whether that is the outermost. */
  readonly isOutermost: boolean;
}

/** Two columns that are put equal, in ON or in WHERE; of one table in its two uses, or of two tables. */
export interface JoinedColumns {
  readonly left: UsedColumn;
  readonly right: UsedColumn;
}

/** A result column of the outermost SELECT, or of the first of a compound. */
export interface ResultColumn {
  readonly text: string;
  /** Where it is a column by itself. */
  readonly column: UsedColumn | null;
  /** Names of the aggregates called in it, in lower case. */
  readonly aggregates: readonly string[];
  readonly isStar: boolean;
}

/** A call of an aggregate. */
export interface AggregateCall {
  readonly name: string;
  readonly isDistinct: boolean;
  /** What is aggregated, as written, DISTINCT left out. */
  readonly argument: string;
  /** Where that is a column by itself. */
  readonly column: UsedColumn | null;
  /** Columns inside, in whatever expression. */
  readonly columns: readonly UsedColumn[];
  readonly start: number;
  readonly end: number;
  readonly isOutermost: boolean;
}

/** A division by `/`, with what can be told of its sides. */
export interface Division {
  /** Whether either side is made real by a CAST, a literal with a point, AVG, or a column of a real type. */
  readonly isReal: boolean;
  /** Where the operator stands. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A source of the outermost FROM. */
export interface UsedSource {
  /** The table's name as the schema has it; `null` for a subquery, a common table expression or an unknown table. */
  readonly table: string | null;
  /** The name it goes by in the statement. */
  readonly name: string;
  /** See {@link UsedColumn.source}. */
  readonly source: string;
  /** `join`, `left join`, …; empty for the first. */
  readonly join: string;
}

/** What the text of a gold says, gathered once for every check. */
export interface GoldFacts {
  /** `false` for a text that is no SELECT, or is unbalanced: then everything is empty. */
  readonly isQuery: boolean;
  /** Whether it is one SELECT without set operators and common table expressions. */
  readonly isPlain: boolean;
  /** `union`, `union all`, `intersect`, `except`, of the outermost level. */
  readonly setOperations: readonly string[];
  readonly isDistinct: boolean;
  readonly results: readonly ResultColumn[];
  readonly sources: readonly UsedSource[];
  /** FROM and WHERE of the outermost SELECT as written, keywords included; empty where it is not plain. */
  readonly rowsText: string;
  /** Every column anywhere; once for each place. */
  readonly columns: readonly UsedColumn[];
  /** Columns of the outermost GROUP BY. */
  readonly groupedBy: readonly UsedColumn[];
  readonly isGrouped: boolean;
  /** Terms of the outermost ORDER BY. */
  readonly orderedBy: readonly {
    readonly text: string;
    readonly isDescending: boolean;
    readonly column: UsedColumn | null;
  }[];
  /** Rows that the outermost LIMIT keeps; `null` without one, or where it is no number. */
  readonly limit: number | null;
  readonly hasLimit: boolean;
  readonly literals: readonly UsedLiteral[];
  readonly joins: readonly JoinedColumns[];
  readonly aggregates: readonly AggregateCall[];
  readonly divisions: readonly Division[];
  /** Functions called anywhere, in lower case. */
  readonly functions: readonly string[];
  /** Words of the statement that are no names and no literals, in lower case. */
  readonly keywords: ReadonlySet<string>;
  /** Comparisons that can never be true or never be false by their text: `x = NULL`, a column with itself. */
  readonly hollow: readonly { readonly kind: "null_comparison" | "same_column"; readonly text: string }[];
  /** `COUNT(CASE … ELSE 0 END)` and the like, as written. */
  readonly countsElse: readonly string[];
  /** Tables that are read anywhere, as the schema has them. */
  readonly tables: readonly string[];
  /** Names behind FROM and JOIN that the schema does not have, and that are no common table expressions. */
  readonly unknownTables: readonly string[];
}
