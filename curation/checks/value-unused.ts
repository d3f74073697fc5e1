import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Probe } from "../../core/check.ts";
import { nameWords, wordStem } from "../../sql/name-words.ts";
import { quotedName } from "../../sql/quoted-names.ts";
import { stemsOf } from "../asked-text.ts";
import { foldText } from "../near-text.ts";

/** Values of a column that are looked for in the question, as many as `value-literal` asks for, so that both ask once. */
const MAX_VALUES = 5000;
/** Columns of a database that are looked through, at most. */
const MAX_COLUMNS = 24;
/** Words that begin questions and sentences, or are values by accident. */
const COMMON: ReadonlySet<string> = new Set(
  "what which who how list show give find name count return please the for and are was were when where why tell with from all any none yes no true false other unknown id state city country year date".split(
    " ",
  ),
);

export default defineCheck({
  id: "value-unused",
  version: 1,
  title: "the question names a value of the database that the gold does not look for",
  kinds: {
    value_unused: {
      severity: "warning",
      confidence: 0.6,
      meaning: "a value of a column that is read stands in the question, and nothing of it in the gold",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Condition", audit: "wrong_value_literal" },
    },
  },
  probes: (subject) => (namesIn(subject).length === 0 ? [] : textColumns(subject).map(probeOf)),
  find: (subject, answers) => {
    const names = namesIn(subject);
    if (names.length === 0) return [];
    const found = new Map<string, { value: string; column: string }>();
    for (const column of textColumns(subject)) {
      const values = answers.get(probeOf(column).name)?.rows ?? [];
      const folded = new Map(
        values.flatMap(([cell]) => (typeof cell === "string" ? [[foldText(cell), cell]] : [])),
      );
      for (const name of names) {
        const value = folded.get(foldText(name));
        if (value !== undefined) found.set(name, { value, column: `${column.table}.${column.column}` });
      }
    }
    return [...found]
      .filter(([name]) => ![...found.keys()].some((other) => other !== name && other.includes(name)))
      .map(([name, { value, column }]) => ({
        kind: "value_unused",
        message: `the question names ${JSON.stringify(name)}, a value of ${column}, and the gold does not look for it`,
        evidence: { name, value, column },
      }));
  },
});

interface TextColumn {
  readonly table: string;
  readonly column: string;
}

function textColumns({ facts, database }: CheckSubject): TextColumn[] {
  return database.schema.tables
    .filter((table) => facts.tables.includes(table.name))
    .flatMap((table) =>
      table.columns
        .filter(({ type }) => type === "" || /char|text|clob/i.test(type))
        .map(({ name }) => ({ table: table.name, column: name })),
    )
    .slice(0, MAX_COLUMNS);
}

function probeOf({ table, column }: TextColumn): Probe {
  const place = quotedName(column);
  return {
    name: `values ${table}.${column}`,
    sql: `SELECT DISTINCT ${place} FROM ${quotedName(table)} WHERE typeof(${place}) = 'text' LIMIT ${MAX_VALUES}`,
    maxRows: MAX_VALUES,
  };
}

/**
 * Capitalised names of the question, alone and in a row, of which the gold has no word: neither in its literals nor in
 * its tables and columns. The first word of a sentence is none.
 */
function namesIn({ example, facts, sql }: CheckSubject): string[] {
  const comparesKey = facts.literals.some(
    ({ kind, column }) => kind === "number" && /id$/i.test(column?.column ?? ""),
  );
  if (!facts.isQuery || comparesKey) return [];
  const said = new Set(stemsOf(facts.literals.map(({ value }) => value).join(" ")));
  const names = [...facts.tables, ...facts.columns.map(({ column }) => column)];
  const used = new Set([...names.flatMap(nameWords).map(wordStem), ...stemsOf(sql)]);
  const found = new Set<string>();
  for (const sentence of example.question.split(/(?<=[.?!])\s+/u)) {
    const words = [...sentence.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'.&-]*/gu)].map(([word]) =>
      word.replace(/[.']+$/u, ""),
    );
    let run: string[] = [];
    for (const [place, word] of [...words, ""].entries()) {
      const isName = place > 0 && /^\p{Lu}/u.test(word) && word.length > 2;
      if (isName) run.push(word);
      else {
        for (let start = 0; start < run.length; start += 1) {
          for (let end = start + 1; end <= run.length; end += 1) found.add(run.slice(start, end).join(" "));
        }
        run = [];
      }
    }
  }
  return [...found].filter((name) => {
    const stems = stemsOf(name);
    const isCommon = stems.every((stem) => COMMON.has(stem)) || name.length < 3;
    return !isCommon && !stems.some((stem) => said.has(stem) || used.has(stem)) && !covers(sql, name);
  });
}

function covers(sql: string, name: string): boolean {
  return foldText(sql).includes(foldText(name));
}
