import { defineCheck } from "../../core/check.ts";
import type { CheckSubject } from "../../core/check.ts";
import type { ForeignKey } from "../../core/database.ts";
import { foldName } from "../../sql/fold-name.ts";
import { quotedName } from "../../sql/quoted-names.ts";

export default defineCheck({
  id: "foreign-key",
  version: 1,
  title: "a key that the gold's tables declare is broken",
  kinds: {
    unknown_column: {
      severity: "warning",
      confidence: 0.2,
      meaning: "a key of the schema names a table or column that the database does not have",
      taxonomy: { kang: "E2", audit: "schema_fk_broken" },
    },
    no_match: {
      severity: "warning",
      confidence: 0.3,
      meaning: "no row of a table has the row that its key refers to",
      taxonomy: { kang: "E2", audit: "schema_fk_broken" },
    },
    orphans: {
      severity: "note",
      confidence: 0.05,
      meaning: "some rows of a table refer to rows that are not there",
      taxonomy: { kang: "E2", audit: "schema_fk_broken" },
    },
  },
  probes: (subject) =>
    keysOf(subject)
      .filter((key) => missingEnd(subject, key) === null)
      .map((key) => ({ name: textOf(key), sql: orphans(key), maxRows: 1 })),
  find: (subject, answers) =>
    keysOf(subject).flatMap((key) => {
      const evidence = { key: textOf(key) };
      const missing = missingEnd(subject, key);
      if (missing !== null) {
        const message = `the key ${textOf(key)} names ${missing}, which the database does not have`;
        return [{ kind: "unknown_column", message, evidence }];
      }
      const [all = 0, lost = 0] = (answers.get(textOf(key))?.rows[0] ?? []).map(Number);
      const referenced = subject.database.schema.tables.findIndex(
        ({ name }) => foldName(name) === foldName(key.referencedTable),
      );
      if (lost === 0 || all === 0 || subject.database.rowCounts[referenced] === 0) return [];
      const message = `${lost} of ${all} rows refer by ${textOf(key)} to nothing`;
      return [
        { kind: lost === all ? "no_match" : "orphans", message, evidence: { ...evidence, rows: all, lost } },
      ];
    }),
});

/** Keys between tables that the gold reads, each once. */
function keysOf({ facts, database }: CheckSubject): ForeignKey[] {
  const read = new Set(facts.tables.map(foldName));
  const keys = [...database.schema.foreignKeys, ...(database.describedForeignKeys ?? [])].filter(
    (key) => read.has(foldName(key.table)) && read.has(foldName(key.referencedTable)),
  );
  return [...new Map(keys.map((key) => [foldName(textOf(key)), key])).values()];
}

function textOf(key: ForeignKey): string {
  return `${key.table}.${key.column} = ${key.referencedTable}.${key.referencedColumn}`;
}

function missingEnd({ database }: CheckSubject, key: ForeignKey): string | null {
  const has = (table: string, column: string): boolean =>
    database.schema.tables.some(
      (one) =>
        foldName(one.name) === foldName(table) &&
        one.columns.some(({ name }) => foldName(name) === foldName(column)),
    );
  if (!has(key.table, key.column)) return `${key.table}.${key.column}`;
  const { referencedTable, referencedColumn } = key;
  return has(referencedTable, referencedColumn) ? null : `${referencedTable}.${referencedColumn}`;
}

function orphans({ table, column, referencedTable, referencedColumn }: ForeignKey): string {
  const from = `FROM ${quotedName(table)} WHERE ${quotedName(column)} IS NOT NULL`;
  const values = `SELECT ${quotedName(referencedColumn)} FROM ${quotedName(referencedTable)} WHERE ${quotedName(referencedColumn)} IS NOT NULL`;
  return `SELECT (SELECT count(*) ${from}), (SELECT count(*) ${from} AND ${quotedName(column)} NOT IN (${values}))`;
}
