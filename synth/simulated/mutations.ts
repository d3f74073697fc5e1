import type { DatabaseSchema } from "../../core/database.ts";
import type { SeededRandom } from "../../core/random.ts";
import { significantTokens } from "../../sql/lexer.ts";
import {
  changeLimit,
  dropCondition,
  dropDistinct,
  dropJoinCondition,
  flipComparison,
  flipOrder,
  wrongAggregate,
} from "./clause-mutations.ts";
import { changeLiteral, wrongColumn, wrongTable } from "./name-mutations.ts";
import { TokenText } from "./token-text.ts";

type Mutation = (text: TokenText, random: SeededRandom, schema: DatabaseSchema) => string | undefined;

const MUTATIONS = {
  wrong_aggregate: wrongAggregate,
  dropped_condition: dropCondition,
  changed_literal: changeLiteral,
  flipped_comparison: flipComparison,
  flipped_order: flipOrder,
  dropped_distinct: dropDistinct,
  wrong_column: wrongColumn,
  dropped_join_condition: dropJoinCondition,
  changed_limit: changeLimit,
  wrong_table: wrongTable,
  syntax_error: breakSyntax,
} satisfies Record<string, Mutation>;

/** A kind of mistake. */
export type MutationKind = keyof typeof MUTATIONS;
export const MUTATION_KINDS = Object.keys(MUTATIONS) as MutationKind[];

/** How often a kind is tried first, of all: mistakes that still run and return rows are the usual ones. */
const WEIGHTS: Readonly<Record<MutationKind, number>> = {
  wrong_aggregate: 3,
  dropped_condition: 4,
  changed_literal: 4,
  flipped_comparison: 3,
  flipped_order: 3,
  dropped_distinct: 2,
  wrong_column: 6,
  dropped_join_condition: 1,
  changed_limit: 2,
  wrong_table: 1,
  syntax_error: 1,
};

/** A wrong answer and the mistake in it. */
export interface MutatedSql {
  readonly kind: MutationKind;
  readonly sql: string;
}

/**
 * Puts one mistake of the given kind into a query: `undefined` where the query offers no place for it. The
 * tokens always differ from those of the query; the result may still be right by accident.
 */
export function mutateAs(
  kind: MutationKind,
  sql: string,
  schema: DatabaseSchema,
  random: SeededRandom,
): string | undefined {
  const mutation: Mutation = MUTATIONS[kind];
  const mutated = mutation(new TokenText(sql), random, schema);
  return mutated === undefined || sameTokens(mutated, sql) ? undefined : mutated;
}

/**
 * Puts one mistake that a model could make into a query, of a kind drawn by weight among those that fit.
 * `except` leaves a kind out, so that a second mistake does not undo the first.
 */
export function mutate(
  sql: string,
  schema: DatabaseSchema,
  random: SeededRandom,
  except: MutationKind | null = null,
): MutatedSql {
  let kinds: readonly MutationKind[] = MUTATION_KINDS.filter((kind) => kind !== except);
  while (kinds.length > 0) {
    const kind = drawKind(kinds, random);
    const mutated = mutateAs(kind, sql, schema, random);
    if (mutated !== undefined) return { kind, sql: mutated };
    kinds = kinds.filter((candidate) => candidate !== kind);
  }
  return { kind: "syntax_error", sql: `${sql} FROM` };
}

function drawKind(kinds: readonly MutationKind[], random: SeededRandom): MutationKind {
  const total = kinds.reduce((sum, kind) => sum + WEIGHTS[kind], 0);
  let left = random.integer(total);
  for (const kind of kinds) {
    left -= WEIGHTS[kind];
    if (left < 0) return kind;
  }
  return "syntax_error";
}

/** Loses a parenthesis, doubles a word, or stops early. */
function breakSyntax(text: TokenText, random: SeededRandom): string | undefined {
  const closing = random.pick(text.tokens.filter(({ word }) => word === ")"));
  const last = text.tokens.length - 1;
  const from = text.at(0);
  if (closing !== undefined && random.integer(2) === 0) {
    return text.replace({ from: closing.place, to: closing.place + 1 }, "");
  }
  if (from === undefined) return undefined;
  if (random.integer(2) === 0) return text.insert(0, from.token.text);
  return text.replace({ from: Math.max(1, last - random.integer(3)), to: last + 1 }, "");
}

function sameTokens(left: string, right: string): boolean {
  return tokensOf(left) === tokensOf(right);
}

function tokensOf(sql: string): string {
  return significantTokens(sql)
    .map((token) => token.text)
    .join(" ");
}
