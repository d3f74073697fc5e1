import type { DatabaseSchema } from "../core/database.ts";
import type { GoldFacts, UsedLiteral } from "../core/gold-facts.ts";
import type { SeededRandom } from "../core/random.ts";
import { goldFacts } from "../sql/gold-facts.ts";
import { quotedName, quotedText } from "../sql/quoted-names.ts";
import { mutateAs, type MutationKind } from "../synth/simulated/mutations.ts";

/** Ways in which a right gold is made wrong. */
export const OPERATORS = [
  "wrong column",
  "wrong table",
  "join key",
  "literal",
  "operator",
  "aggregate",
  "DISTINCT",
  "order",
  "limit",
  "dropped condition",
] as const;
export type Operator = (typeof OPERATORS)[number];

const KINDS: Readonly<Partial<Record<Operator, MutationKind>>> = {
  "wrong column": "wrong_column",
  "wrong table": "wrong_table",
  operator: "flipped_comparison",
  aggregate: "wrong_aggregate",
  order: "flipped_order",
  limit: "changed_limit",
  "dropped condition": "dropped_condition",
};

/** Texts that other golds look for, by column: values that a person could have taken by mistake. */
export type LiteralPool = ReadonlyMap<string, readonly string[]>;

/** Changes a gold in one place; `null` where it has none for the operator. */
export function mutateGold(
  operator: Operator,
  sql: string,
  { schema, pool, random }: { schema: DatabaseSchema; pool: LiteralPool; random: SeededRandom },
): string | null {
  const kind = KINDS[operator];
  if (kind !== undefined) return mutateAs(kind, sql, schema, random) ?? null;
  const facts = goldFacts(sql, schema);
  if (operator === "join key") return otherJoinKey(sql, facts, schema, random);
  if (operator === "literal") return otherLiteral(sql, facts, pool, random);
  return changedDistinct(sql, facts);
}

/** The key of the pool for a literal's column. */
export function poolKey({ column }: UsedLiteral, databaseId: string): string {
  return `${databaseId} ${column?.table ?? ""} ${column?.column ?? ""}`;
}

/** Joins by another column of one of the two tables. */
function otherJoinKey(
  sql: string,
  facts: GoldFacts,
  schema: DatabaseSchema,
  random: SeededRandom,
): string | null {
  const join = random.pick(facts.joins);
  if (join === undefined) return null;
  const side = random.pick([join.left, join.right]);
  const columns = schema.tables.find(({ name }) => name === side?.table)?.columns ?? [];
  const other = random.pick(columns.filter(({ name }) => name !== side?.column));
  if (side === undefined || other === undefined) return null;
  const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`${escape(join.left.text)}(\\s*=\\s*)${escape(join.right.text)}`, "i");
  const written = (text: string): string =>
    text.includes(".") ? `${text.split(".")[0]}.${quotedName(other.name)}` : quotedName(other.name);
  const [left, right] = [join.left, join.right].map((one) => (one === side ? written(one.text) : one.text));
  const changed = sql.replace(pattern, (_, equals: string) => `${left}${equals}${right}`);
  return changed === sql ? null : changed;
}

/** Looks for another value: one that other golds look for, one letter less, or another number. */
function otherLiteral(sql: string, facts: GoldFacts, pool: LiteralPool, random: SeededRandom): string | null {
  const literal = random.pick(
    facts.literals.filter(({ column, operator }) => column !== null && operator !== "like"),
  );
  if (literal === undefined) return null;
  const put = (text: string): string => sql.slice(0, literal.start) + text + sql.slice(literal.end);
  if (literal.kind === "number") {
    const value = Number(literal.value);
    const step = random.pick([1, -1, 10, value]) ?? 1;
    return Number.isFinite(value) && step !== 0 ? put(String(value + step)) : null;
  }
  const key = `${literal.column?.table ?? ""} ${literal.column?.column ?? ""}`;
  const others = [...pool].filter(([name]) => name.endsWith(` ${key}`)).flatMap(([, values]) => values);
  const other = random.pick(others.filter((value) => value !== literal.value));
  if (other !== undefined && random.integer(2) === 0) return put(quotedText(other));
  return literal.value.length > 3 ? put(quotedText(literal.value.slice(0, -1))) : null;
}

/** Takes DISTINCT away, or adds it. */
function changedDistinct(sql: string, facts: GoldFacts): string | null {
  if (/\bdistinct\b/i.test(sql)) return sql.replace(/\bdistinct\b\s*/i, "");
  if (!facts.isPlain || facts.isGrouped || facts.hasLimit) return null;
  return sql.replace(/^(\s*select)\b/i, "$1 DISTINCT");
}
