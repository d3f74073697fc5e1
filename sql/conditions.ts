import type { Stretch } from "./query-parts.ts";
import type { ClauseItem, QueryTexts } from "./query-texts.ts";

/** Parentheses in a condition that are looked into. */
const MAX_DEPTH = 100;

/** What is not taken apart: one comparison, or anything that is no AND or OR of conditions. */
interface Atom {
  readonly kind: "atom";
  readonly item: ClauseItem;
}

interface Group {
  readonly kind: "and" | "or";
  readonly parts: readonly Condition[];
}

type Condition = Atom | Group;

/**
 * The comparisons of a condition, whatever the AND, OR and parentheses around them. Where there is an OR, a last item
 * `shape: (_ or _) and _` tells how they are put together. Two columns that are equal come in the order of their texts.
 */
export function conditionItems(texts: QueryTexts, stretch: Stretch): ClauseItem[] {
  const condition = parse(texts, stretch, 0);
  const items: ClauseItem[] = [];
  collect(condition, items);
  const shape = shapeOf(condition);
  if (/\bor\b/.test(shape)) items.push({ text: `shape: ${shape}`, literals: [] });
  return items;
}

function parse(texts: QueryTexts, stretch: Stretch, depth: number): Condition {
  const trimmed = texts.trim(stretch);
  const { ors, ands } = connectors(texts, trimmed);
  const kind = ors.length > 0 ? "or" : "and";
  const cuts = ors.length > 0 ? ors : ands;
  if (cuts.length === 0 || depth >= MAX_DEPTH) return { kind: "atom", item: ordered(texts.item(trimmed)) };
  const parts: Condition[] = [];
  let { start } = trimmed;
  for (const cut of [...cuts, trimmed.end]) {
    const part = parse(texts, { start, end: cut }, depth + 1);
    if (part.kind === kind) parts.push(...part.parts);
    else parts.push(part);
    start = cut + 1;
  }
  return { kind, parts };
}

/** The ORs and ANDs of a stretch, outside of parentheses, CASE and BETWEEN. */
function connectors(texts: QueryTexts, stretch: Stretch): { ors: number[]; ands: number[] } {
  const ors: number[] = [];
  const ands: number[] = [];
  let cases = 0;
  let betweens = 0;
  for (let index = stretch.start; index < stretch.end; index = texts.after(index)) {
    const token = texts.outline.tokens[index];
    if (token?.kind !== "word" || texts.outline.tokens[index - 1]?.text === ".") continue;
    const word = token.text.toLowerCase();
    if (word === "case") cases += 1;
    else if (word === "end" && cases > 0) cases -= 1;
    if (cases > 0) continue;
    if (word === "between") betweens += 1;
    else if (word === "or") ors.push(index);
    else if (word === "and" && betweens > 0) betweens -= 1;
    else if (word === "and") ands.push(index);
  }
  return { ors, ands };
}

function collect(condition: Condition, items: ClauseItem[]): void {
  if (condition.kind === "atom") {
    if (condition.item.text !== "") items.push(condition.item);
  } else {
    for (const part of condition.parts) collect(part, items);
  }
}

function shapeOf(condition: Condition): string {
  if (condition.kind === "atom") return "_";
  const parts = condition.parts.map((part) => (part.kind === "atom" ? "_" : `(${shapeOf(part)})`));
  return parts.sort().join(` ${condition.kind} `);
}

const COLUMN_EQUALITY = /^([^\s()?]+) = ([^\s()?]+)$/u;

function ordered(item: ClauseItem): ClauseItem {
  const match = COLUMN_EQUALITY.exec(item.text);
  if (match === null) return item;
  const [, left = "", right = ""] = match;
  return left <= right ? item : { ...item, text: `${right} = ${left}` };
}
