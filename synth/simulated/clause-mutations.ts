import type { SeededRandom } from "../../core/random.ts";
import type { TokenText } from "./token-text.ts";

/** Words at which a clause ends at its own depth. */
export const CLAUSE_ENDS: ReadonlySet<string> = new Set([
  "where",
  "group",
  "having",
  "order",
  "limit",
  "union",
  "intersect",
  "except",
  "window",
]);
const JOIN_WORDS = ["join", "inner", "left", "right", "full", "cross", "natural"];
const CONDITION_ENDS: ReadonlySet<string> = new Set([...CLAUSE_ENDS, ...JOIN_WORDS, "and", "or", "on"]);
const JOIN_CONDITION_ENDS: ReadonlySet<string> = new Set([...CLAUSE_ENDS, ...JOIN_WORDS, "on", ","]);
const AGGREGATES = ["count", "sum", "avg", "min", "max"];
const LIMITS = ["1", "2", "3", "5", "10"];

/** Puts another aggregate in the place of one; never over `*`, where only COUNT can stand. */
export function wrongAggregate(text: TokenText, random: SeededRandom): string | undefined {
  const calls = text
    .words(...AGGREGATES)
    .filter(({ place }) => text.at(place + 1)?.word === "(" && text.at(place + 2)?.word !== "*");
  const call = random.pick(calls);
  if (call === undefined) return undefined;
  const isDistinct = text.at(call.place + 2)?.word === "distinct";
  const others = AGGREGATES.filter((name) => name !== call.word && !(isDistinct && /^(min|max)$/.test(name)));
  const other = random.pick(others) ?? "count";
  const isUpper = call.token.text === call.token.text.toUpperCase();
  return text.replace({ from: call.place, to: call.place + 1 }, isUpper ? other.toUpperCase() : other);
}

/** Leaves out one condition of WHERE, HAVING or ON, or the whole clause when it has one. */
export function dropCondition(text: TokenText, random: SeededRandom): string | undefined {
  const connectors = text.words("and", "or").filter(({ place }) => !closesBetween(text, place));
  const connector = random.pick(connectors);
  if (connector !== undefined) {
    const to = text.endOf(connector.place + 1, connector.depth, CONDITION_ENDS);
    const isBetween = text.at(to)?.word === "and" && closesBetween(text, to);
    const end = isBetween ? text.endOf(to + 1, connector.depth, CONDITION_ENDS) : to;
    return text.replace({ from: connector.place, to: end }, "");
  }
  const clause = random.pick(text.words("where", "having"));
  if (clause === undefined) return undefined;
  const to = text.endOf(clause.place + 1, clause.depth, CLAUSE_ENDS);
  return text.replace({ from: clause.place, to }, "");
}

/** Whether the AND at `place` belongs to a BETWEEN. */
function closesBetween(text: TokenText, place: number): boolean {
  const depth = text.at(place)?.depth;
  for (let before = place - 1; before >= 0; before -= 1) {
    const placed = text.at(before);
    if (placed === undefined || depth === undefined || placed.depth < depth) return false;
    if (placed.depth > depth) continue;
    if (placed.word === "between") return text.at(place)?.word === "and";
    if (CONDITION_ENDS.has(placed.word)) return false;
  }
  return false;
}

/** Joins without a condition. */
export function dropJoinCondition(text: TokenText, random: SeededRandom): string | undefined {
  const on = random.pick(text.words("on"));
  if (on === undefined) return undefined;
  return text.replace({ from: on.place, to: text.endOf(on.place + 1, on.depth, JOIN_CONDITION_ENDS) }, "");
}

/** Compares the other way round, or takes or leaves the edge. */
export function flipComparison(text: TokenText, random: SeededRandom): string | undefined {
  const others: Readonly<Record<string, readonly string[]>> = {
    "<": [">", "<="],
    ">": ["<", ">="],
    "<=": [">=", "<"],
    ">=": ["<=", ">"],
    "!=": ["="],
    "<>": ["="],
  };
  const comparison = random.pick(text.tokens.filter(({ word }) => others[word] !== undefined));
  if (comparison === undefined) return undefined;
  const { place, word } = comparison;
  return text.replace({ from: place, to: place + 1 }, random.pick(others[word] ?? []) ?? "=");
}

/** Sorts the other way round; without a direction, downwards. */
export function flipOrder(text: TokenText, random: SeededRandom): string | undefined {
  const direction = random.pick(text.words("asc", "desc"));
  if (direction !== undefined) {
    const other = direction.word === "asc" ? "DESC" : "ASC";
    return text.replace({ from: direction.place, to: direction.place + 1 }, other);
  }
  const order = random.pick(text.words("order").filter(({ place }) => text.at(place + 1)?.word === "by"));
  if (order === undefined) return undefined;
  return text.insert(text.endOf(order.place + 2, order.depth, CLAUSE_ENDS), "DESC");
}

/** Takes a DISTINCT away. */
export function dropDistinct(text: TokenText, random: SeededRandom): string | undefined {
  const distinct = random.pick(text.words("distinct"));
  if (distinct === undefined) return undefined;
  const { from, to } = { from: distinct.place, to: distinct.place + 1 };
  const isInCall = text.at(from - 1)?.word === "(";
  return isInCall
    ? text.replace({ from: from - 1, to: to + 1 }, `(${text.at(to)?.token.text ?? ""}`)
    : text.replace({ from, to }, "");
}

/** Takes another number of rows, or all. */
export function changeLimit(text: TokenText, random: SeededRandom): string | undefined {
  const limit = random.pick(text.words("limit"));
  const count = limit === undefined ? undefined : text.at(limit.place + 1);
  if (limit === undefined || count?.token.kind !== "number") return undefined;
  const drops = random.integer(3) === 0;
  if (drops) return text.replace({ from: limit.place, to: count.place + 1 }, "");
  const other = random.pick(LIMITS.filter((candidate) => candidate !== count.word)) ?? "1";
  return text.replace({ from: count.place, to: count.place + 1 }, other);
}
