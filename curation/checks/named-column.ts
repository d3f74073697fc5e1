import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import type { UsedColumn } from "../../core/gold-facts.ts";
import { foldName } from "../../sql/fold-name.ts";
import { nameWords, wordStem } from "../../sql/name-words.ts";
import { askedText } from "../asked-text.ts";

export default defineCheck({
  id: "named-column",
  version: 1,
  title: "the question names another column or table than the gold uses",
  kinds: {
    other_result: {
      severity: "error",
      confidence: 0.6,
      meaning:
        "the gold gives a column that the question does not name, and leaves out one of its table that it names",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Attribute", audit: "wrong_column" },
    },
    other_order: {
      severity: "warning",
      confidence: 0.45,
      meaning:
        "the gold orders or groups by a column that the question does not name, and not by one that it names",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Clause", audit: "wrong_column" },
    },
    other_table: {
      severity: "error",
      confidence: 0.55,
      meaning: "the gold reads a whole table that the question does not name, and another one has the name",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Table", audit: "wrong_table" },
    },
  },
  find: (subject) =>
    subject.facts.isPlain ? [...resultDoubts(subject), ...orderDoubts(subject), ...tableDoubts(subject)] : [],
});

function stems(name: string): string[] {
  return nameWords(name).map(wordStem);
}

/** Columns of the tables read that no part of the gold uses and all of whose words the question has. */
function namedAndUnused({ facts, database, example }: CheckSubject, table: string | null): string[] {
  const { stems: said } = askedText(example);
  const used = new Set(facts.columns.map(({ column }) => foldName(column)));
  const owner = database.schema.tables.find(({ name }) => name === table);
  const ofTable = new Set(stems(table ?? ""));
  return (owner?.columns ?? [])
    .filter(({ name }) => !used.has(foldName(name)))
    .filter(({ name }) => {
      const words = stems(name);
      const isOnlyTable = words.every((word) => ofTable.has(word));
      return (
        words.length > 0 &&
        !isOnlyTable &&
        words.every((word) => said.has(word) || ofTable.has(word)) &&
        words.some((word) => said.has(word) && !ofTable.has(word))
      );
    })
    .map(({ name }) => name);
}

/** Whether the question has a word of a column's name or description, other than those of its table or of many columns. */
function isNamed({ example, database }: CheckSubject, { table, column }: UsedColumn): boolean {
  const { stems: known, said } = askedText(example);
  const columns = database.schema.tables.find(({ name }) => name === table)?.columns ?? [];
  const described = columns.find(({ name }) => name === column)?.comment ?? "";
  const ofTable = new Set(stems(table ?? ""));
  const isShared = (word: string): boolean =>
    ofTable.has(word) || columns.filter(({ name }) => stems(name).includes(word)).length * 2 > columns.length;
  const all = [...stems(column), ...stems(described)];
  const own = all.filter((word) => !isShared(word));
  const words = own.length === 0 ? all : own;
  return words
    .filter((word) => word.length > 1)
    .some((word) => known.has(word) || (word.length > 3 && said.includes(word.slice(0, 4))));
}

function resultDoubts(subject: CheckSubject): Doubt[] {
  const { facts } = subject;
  if (facts.results.some(({ isStar }) => isStar)) return [];
  const shown = facts.results.flatMap(({ column, text }) => {
    const aggregated = facts.aggregates.find(
      (call) => text.trim().toLowerCase().startsWith(call.name) && text.includes(call.argument),
    );
    const taken = column ?? (aggregated?.name === "count" ? null : (aggregated?.column ?? null));
    return taken === null ? [] : [taken];
  });
  return shown.flatMap((column): Doubt[] => {
    if (isNamed(subject, column)) return [];
    const named = namedAndUnused(subject, column.table);
    if (named.length === 0) return [];
    const message = `the gold gives ${column.text}, which the question does not name, and not ${named.join(" or ")}`;
    return [{ kind: "other_result", message, evidence: { column: column.text, named } }];
  });
}

function orderDoubts(subject: CheckSubject): Doubt[] {
  const { facts } = subject;
  const ordered = facts.orderedBy.flatMap(({ column, text }) => {
    const call = facts.aggregates.find(
      (one) => one.column !== null && text.includes(one.argument) && one.name !== "count",
    );
    const taken = column ?? call?.column ?? null;
    return taken === null ? [] : [taken];
  });
  return ordered.flatMap((column): Doubt[] => {
    if (isNamed(subject, column) || /year|date|time|birth|age/i.test(column.column)) return [];
    const named = namedAndUnused(subject, column.table);
    if (named.length === 0) return [];
    const message = `the gold orders by ${column.text}, which the question does not name, and not by ${named.join(" or ")}`;
    return [{ kind: "other_order", message, evidence: { column: column.text, named } }];
  });
}

/** Only where a whole table is read: a part of one may well be told by other words. */
function tableDoubts({ facts, database, example }: CheckSubject): Doubt[] {
  const [source] = facts.sources;
  const isWhole =
    facts.sources.length === 1 && facts.literals.length === 0 && !facts.isGrouped && !facts.hasLimit;
  const isSubquery = facts.tables.length !== 1;
  const isDistinct = facts.aggregates.some((call) => call.isDistinct);
  if (!isWhole || isSubquery || isDistinct || source?.table == null || facts.keywords.has("where")) return [];
  const { stems: said } = askedText(example);
  const own = stems(source.table);
  if (own.some((word) => said.has(word)) || own.length === 0) return [];
  const others = database.schema.tables
    .filter(({ name }) => name !== source.table)
    .filter(({ name }) => stems(name).length > 0 && stems(name).every((word) => said.has(word)))
    .filter(({ name }) => stems(name).some((word) => !own.includes(word)) || stems(name).length < own.length)
    .map(({ name }) => name);
  const columns = facts.columns.flatMap(({ column }) => stems(column));
  if (others.length === 0 || others.some((name) => stems(name).every((word) => columns.includes(word))))
    return [];
  const message = `the gold reads ${source.table}, and the question names ${others.join(" and ")}`;
  return [{ kind: "other_table", message, evidence: { table: source.table, named: others } }];
}
