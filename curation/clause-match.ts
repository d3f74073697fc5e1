import type { DatabaseSchema } from "../core/database.ts";
import { withLiterals } from "../sql/clause-difference.ts";
import { clausesOf } from "../sql/clauses.ts";
import type { Clauses } from "../sql/clauses.ts";
import { significantTokens } from "../sql/lexer.ts";

/** The clauses that are compared, and what counts as an item of each. */
const ITEMS = {
  select: ({ select }: Clauses) => select.map(withLiterals),
  where: ({ where }: Clauses) => where.map(withLiterals),
  join: ({ from, joins }: Clauses) => [...from, ...joins].map(withLiterals),
  group: ({ groupBy, having }: Clauses) => [
    ...groupBy.map(withLiterals),
    ...having.map((item) => `having ${withLiterals(item)}`),
  ],
  order: ({ orderBy, limit }: Clauses) => [
    ...orderBy.map((term) => `${withLiterals(term)}${term.isDescending ? " desc" : ""}`),
    ...(limit === null ? [] : [`limit ${withLiterals(limit)}`]),
  ],
} as const;

/** The F1 of each clause that at least one side has, from 0 to 1. */
export type ClauseScores = Partial<Record<keyof typeof ITEMS, number>>;

/** The F1 of the sets of items of both queries, clause by clause; a clause that neither has is left out. */
export function clauseScores(
  goldSql: string,
  predictedSql: string,
  schema: DatabaseSchema | null,
): ClauseScores {
  const gold = clausesOf(goldSql, schema);
  const predicted = clausesOf(predictedSql, schema);
  const scores: ClauseScores = {};
  for (const clause of Object.keys(ITEMS) as (keyof typeof ITEMS)[]) {
    const expected = new Set(ITEMS[clause](gold));
    const found = new Set(ITEMS[clause](predicted));
    const total = expected.size + found.size;
    if (total === 0) continue;
    let shared = 0;
    for (const item of found) if (expected.has(item)) shared += 1;
    scores[clause] = (2 * shared) / total;
  }
  return scores;
}

/**
 * The mean of {@link clauseScores}, from 0 to 1. Of two texts without any of the clauses, such as two blank ones, it is
 * 1 when their tokens are the same but for case, else 0.
 */
export function clauseMatch(goldSql: string, predictedSql: string, schema: DatabaseSchema | null): number {
  const scores = Object.values(clauseScores(goldSql, predictedSql, schema));
  if (scores.length === 0) return folded(goldSql) === folded(predictedSql) ? 1 : 0;
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function folded(sql: string): string {
  const texts = significantTokens(sql).map(({ text }) => text.toLowerCase());
  while (texts.at(-1) === ";") texts.pop();
  return texts.map((text) => `${text.length} ${text}`).join("");
}
