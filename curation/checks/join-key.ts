import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt, ProbeAnswers } from "../../core/check.ts";
import type { ForeignKey } from "../../core/database.ts";
import type { JoinedColumns, UsedColumn } from "../../core/gold-facts.ts";
import { foldName } from "../../sql/fold-name.ts";
import { nameWords, wordStem } from "../../sql/name-words.ts";
import { quotedName } from "../../sql/quoted-names.ts";
import { askedText } from "../asked-text.ts";

export default defineCheck({
  id: "join-key",
  version: 1,
  title: "tables are joined on columns that do not belong together",
  kinds: {
    no_shared_values: {
      severity: "error",
      confidence: 0.85,
      meaning: "the joined columns have no value in common",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Table", audit: "wrong_column" },
    },
    other_key: {
      severity: "error",
      confidence: 0.65,
      meaning: "the tables have a key between them, and the join goes by other columns",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Table", audit: "wrong_column" },
    },
    other_role: {
      severity: "error",
      confidence: 0.7,
      meaning: "of several keys between the tables the question names another one",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Table", audit: "wrong_column" },
    },
    not_a_key: {
      severity: "note",
      confidence: 0.15,
      meaning: "the joined columns are no key of either table, nor called alike",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Table", audit: "wrong_column" },
    },
  },
  probes: (subject) =>
    joinsOf(subject).map(({ left, right }) => ({
      name: nameOf(left, right),
      sql: overlap(left, right),
      maxRows: 1,
    })),
  find: (subject, answers) => joinsOf(subject).flatMap((join) => doubtsOf(subject, join, answers)),
});

function joinsOf({ facts }: CheckSubject): JoinedColumns[] {
  return facts.joins.filter(({ left, right }) => left.table !== null && right.table !== null);
}

function nameOf(left: UsedColumn, right: UsedColumn): string {
  return `${left.table}.${left.column}=${right.table}.${right.column}`;
}

function overlap(left: UsedColumn, right: UsedColumn): string {
  const [one, other] = [left, right].map(({ table, column }) => ({
    table: quotedName(table ?? ""),
    column: quotedName(column),
  })) as [{ table: string; column: string }, { table: string; column: string }];
  return (
    `SELECT EXISTS (SELECT 1 FROM ${one.table} WHERE ${one.column} IN (SELECT ${other.column} FROM ${other.table})), ` +
    `(SELECT count(${one.column}) FROM ${one.table}), (SELECT count(${other.column}) FROM ${other.table})`
  );
}

function doubtsOf(subject: CheckSubject, { left, right }: JoinedColumns, answers: ProbeAnswers): Doubt[] {
  const keys = keysOf(subject);
  const text = `${left.text} = ${right.text}`;
  const between = keys.filter((key) => joins(key, left.table, right.table));
  const evidence = { join: text, keys: [...new Set(between.map(keyText))] };
  const role = otherRole(subject, { left, right }, between);
  if (role !== null) {
    const message = `${text} goes by ${role.used}, and the question speaks of ${role.asked}`;
    return [{ kind: "other_role", message, evidence: { ...evidence, ...role } }];
  }
  const [shared, leftValues, rightValues] = (answers.get(nameOf(left, right))?.rows[0] ?? []).map(Number);
  const isDisjoint =
    shared === 0 && leftValues !== 0 && rightValues !== 0 && !isJoinedByKey(subject, left, right);
  if (isDisjoint) {
    const message = `${text} joins columns that have no value in common`;
    return [{ kind: "no_shared_values", message, evidence }];
  }
  if (isKey(keys, left, right) || isJoinedByKey(subject, left, right)) return [];
  if (between.length > 0 && left.table !== right.table) {
    const message = `${text} does not go by the key between the tables, ${evidence.keys.join(" or ")}`;
    return [{ kind: "other_key", message, evidence }];
  }
  const isAlike = foldName(left.column) === foldName(right.column);
  const isPrimary = [left, right].some((column) => isPrimaryKey(subject, column));
  if (isAlike || isPrimary) return [];
  return [{ kind: "not_a_key", message: `${text} joins columns that are no key of either table`, evidence }];
}

function keysOf({ database }: CheckSubject): ForeignKey[] {
  return [...database.schema.foreignKeys, ...(database.describedForeignKeys ?? [])];
}

function joins(key: ForeignKey, left: string | null, right: string | null): boolean {
  const [from, to] = [foldName(key.table), foldName(key.referencedTable)];
  const [one, other] = [foldName(left ?? ""), foldName(right ?? "")];
  return (from === one && to === other) || (from === other && to === one);
}

function placeOf(table: string, column: string): string {
  return `${foldName(table)}.${foldName(column)}`;
}

/** Whether two columns are a key's two ends, or both refer to the same column, at whatever distance. */
function isKey(keys: readonly ForeignKey[], left: UsedColumn, right: UsedColumn): boolean {
  const ends = (column: UsedColumn): Set<string> => {
    const reached = new Set([placeOf(column.table ?? "", column.column)]);
    for (let size = 0; size !== reached.size; ) {
      size = reached.size;
      for (const key of keys) {
        if (reached.has(placeOf(key.table, key.column))) {
          reached.add(placeOf(key.referencedTable, key.referencedColumn));
        }
      }
    }
    return reached;
  };
  const leftEnds = ends(left);
  return [...ends(right)].some((end) => leftEnds.has(end));
}

/** Whether the same two uses of tables are joined by a key beside these columns: then these only filter. */
function isJoinedByKey(subject: CheckSubject, left: UsedColumn, right: UsedColumn): boolean {
  const pair = [left.source, right.source].sort().join();
  return joinsOf(subject).some(
    (other) =>
      other.left !== left &&
      [other.left.source, other.right.source].sort().join() === pair &&
      isKey(keysOf(subject), other.left, other.right),
  );
}

function keyText(key: ForeignKey): string {
  return `${key.table}.${key.column} = ${key.referencedTable}.${key.referencedColumn}`;
}

function isPrimaryKey({ database }: CheckSubject, { table, column }: UsedColumn): boolean {
  const columns = database.schema.tables.find(({ name }) => name === table)?.columns ?? [];
  return columns.some((one) => one.name === column && one.primaryKey > 0);
}

/** Which key of several between two tables is used, and which other one the question names. */
function otherRole(
  { example, facts }: CheckSubject,
  { left, right }: JoinedColumns,
  between: readonly ForeignKey[],
): { readonly used: string; readonly asked: string } | null {
  const used = between.find((key) => [left, right].some((one) => isEnd(key, one)));
  if (used === undefined) return null;
  const rivals = between.filter(
    (key) =>
      key.table === used.table &&
      key.referencedTable === used.referencedTable &&
      foldName(key.column) !== foldName(used.column),
  );
  const { stems } = askedText(example);
  const isSaid = (words: readonly string[]): boolean =>
    words.length > 0 && words.every((word) => stems.has(word));
  const isUsed = (key: ForeignKey): boolean =>
    facts.columns.some((one) => foldName(one.column) === foldName(key.column));
  for (const rival of rivals) {
    if (isUsed(rival) || isSaid(distinctive(used, rival))) continue;
    if (isSaid(distinctive(rival, used))) return { used: used.column, asked: rival.column };
  }
  return null;
}

function isEnd(key: ForeignKey, { table, column }: UsedColumn): boolean {
  return placeOf(key.table, key.column) === placeOf(table ?? "", column);
}

/** The words of a key's column that another's does not have. */
function distinctive(key: ForeignKey, other: ForeignKey): string[] {
  const others = new Set(nameWords(other.column));
  return nameWords(key.column)
    .filter((word) => !others.has(word))
    .map(wordStem);
}
