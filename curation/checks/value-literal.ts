import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt, Probe, ProbeAnswers } from "../../core/check.ts";
import type { UsedColumn, UsedLiteral } from "../../core/gold-facts.ts";
import { quotedName, quotedText } from "../../sql/quoted-names.ts";
import { nearText } from "../near-text.ts";

/** Values of a column that are compared with a literal. */
const MAX_VALUES = 5000;

export default defineCheck({
  id: "value-literal",
  version: 1,
  title: "a column does not have the value that the gold looks for",
  kinds: {
    other_spelling: {
      severity: "error",
      confidence: 0.9,
      meaning: "the column has the value in another case or with other spaces and signs",
      taxonomy: { wretblad: "5", kang: "E2", "nl2sql-bugs": "Value", audit: "wrong_value_literal" },
    },
    near_value: {
      severity: "error",
      confidence: 0.65,
      meaning: "the column has a value that is spelled nearly so",
      taxonomy: { wretblad: "1", kang: "E2", "nl2sql-bugs": "Value", audit: "spelling" },
    },
    other_column: {
      severity: "error",
      confidence: 0.75,
      meaning: "another column of a table that is read has the value",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Attribute", audit: "wrong_column" },
    },
    number_for_text: {
      severity: "error",
      confidence: 0.8,
      meaning: "a column of texts is compared with a number that it does not have",
      taxonomy: { wretblad: "3", kang: "E2", "nl2sql-bugs": "Value", audit: "wrong_value_literal" },
    },
    absent: {
      severity: "warning",
      confidence: 0.4,
      meaning: "the column has no such value, and none near it",
      taxonomy: { wretblad: "6", kang: "E2", "nl2sql-bugs": "Value", audit: "wrong_value_literal" },
    },
    never_matches: {
      severity: "error",
      confidence: 0.9,
      meaning: "the function on the other side never gives such a text",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_value_literal" },
    },
  },
  probes: (subject, answers) => lookedFor(subject).flatMap((one) => probesOf(subject, one, answers)),
  find: (subject, answers) => [
    ...lookedFor(subject).flatMap((one) => doubtsOf(subject, one, answers)),
    ...subject.facts.literals.flatMap(neverMatching),
  ],
});

/** A literal that a column should have. */
interface LookedFor {
  readonly literal: UsedLiteral;
  readonly column: UsedColumn & { readonly table: string };
  readonly name: string;
}

function lookedFor({ facts, database }: CheckSubject): LookedFor[] {
  return facts.literals.flatMap((literal) => {
    const { column, operator, value, kind } = literal;
    if (column === null || column.table === null) return [];
    if (!["=", "!=", "in", "like"].includes(operator) || value === "") return [];
    if (operator === "like" && value.replaceAll(/[%_]/g, "").length < 3) return [];
    const type = database.schema.tables
      .find(({ name }) => name === column.table)
      ?.columns.find(({ name }) => name === column.column)?.type;
    const place = database.schema.tables.findIndex(({ name }) => name === column.table);
    if (database.rowCounts[place] === 0) return [];
    if (kind === "number" && !/char|clob|text/i.test(type ?? "")) return [];
    const name = `${column.table}.${column.column} ${operator} ${value}`;
    return [{ literal, column: { ...column, table: column.table }, name }];
  });
}

function probesOf({ facts, database }: CheckSubject, one: LookedFor, answers: ProbeAnswers): Probe[] {
  const { literal, column, name } = one;
  const table = quotedName(column.table);
  const place = quotedName(column.column);
  const condition = `${place} ${literal.operator === "like" ? "LIKE" : "="} ${quotedText(literal.value)}`;
  const exact = { name, sql: `SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`, maxRows: 1 };
  const found = answers.get(name);
  if (found?.execution.status !== "empty") return [exact];
  const values = {
    name: `values ${column.table}.${column.column}`,
    sql: `SELECT DISTINCT ${place} FROM ${table} WHERE typeof(${place}) = 'text' LIMIT ${MAX_VALUES}`,
    maxRows: MAX_VALUES,
  };
  const elsewhere = database.schema.tables
    .filter((other) => facts.tables.includes(other.name))
    .flatMap((other) =>
      other.columns
        .filter((candidate) => other.name !== column.table || candidate.name !== column.column)
        .map((candidate) => {
          const where = `${quotedName(candidate.name)} = ${quotedText(literal.value)}`;
          const label = quotedText(`${other.name}.${candidate.name}`);
          return `SELECT ${label} WHERE EXISTS (SELECT 1 FROM ${quotedName(other.name)} WHERE ${where})`;
        }),
    )
    .slice(0, 100);
  const where = { name: `elsewhere ${name}`, sql: elsewhere.join(" UNION ALL "), maxRows: 5 };
  return elsewhere.length === 0 || literal.operator === "like" ? [exact, values] : [exact, values, where];
}

function doubtsOf({ sql }: CheckSubject, one: LookedFor, answers: ProbeAnswers): Doubt[] {
  const { literal, column, name } = one;
  if (answers.get(name)?.execution.status !== "empty") return [];
  const place = `${column.table}.${column.column}`;
  const evidence = { literal: literal.value, column: place };
  const told = `${place} has no ${JSON.stringify(literal.value)}`;
  if (literal.kind === "number") {
    return [{ kind: "number_for_text", message: `${told}: it holds texts`, evidence }];
  }
  const values = (answers.get(`values ${place}`)?.rows ?? []).flatMap(([cell]) =>
    typeof cell === "string" ? [cell] : [],
  );
  const near = nearText(literal.value.replaceAll("%", ""), values);
  const replaced = (text: string): Pick<Doubt, "suggestion"> => ({
    suggestion: {
      field: "gold",
      after: sql.slice(0, literal.start) + quotedText(text) + sql.slice(literal.end),
    },
  });
  if (near !== null && (near.difference === "spelling" || literal.operator !== "like")) {
    const kind = near.difference === "spelling" ? "other_spelling" : "near_value";
    const message = `${told}, but ${JSON.stringify(near.text)}`;
    return [{ kind, message, evidence: { ...evidence, near: near.text }, ...replaced(near.text) }];
  }
  if (literal.operator === "!=") return [];
  const elsewhere = (answers.get(`elsewhere ${name}`)?.rows ?? []).flatMap(([cell]) =>
    typeof cell === "string" ? [cell] : [],
  );
  if (elsewhere.length > 0) {
    const message = `${told}, but ${elsewhere.join(" and ")} has it`;
    return [{ kind: "other_column", message, evidence: { ...evidence, elsewhere } }];
  }
  return [{ kind: "absent", message: told, evidence }];
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  "%Y": /^\d{4}$/,
  "%m": /^(0[1-9]|1[0-2])$/,
  "%d": /^(0[1-9]|[12]\d|3[01])$/,
  "%H": /^([01]\d|2[0-3])$/,
  "%Y-%m": /^\d{4}-\d{2}$/,
  "%Y-%m-%d": /^\d{4}-\d{2}-\d{2}$/,
};

/** A part of a date that is compared with what it cannot be: a month `9`, which is `09`. */
function neverMatching({ call, value, operator, kind }: UsedLiteral): Doubt[] {
  if (call?.name !== "strftime" || !["=", "in"].includes(operator)) return [];
  const format = /^strftime \( ['"]([^'"]+)['"]/i.exec(call.text)?.[1] ?? "";
  const shape = FORMATS[format];
  if (shape === undefined || (kind === "text" && shape.test(value))) return [];
  return [
    {
      kind: "never_matches",
      message: `strftime('${format}', …) is a text, and never ${kind === "text" ? JSON.stringify(value) : `the number ${value}`}`,
      evidence: { format, literal: value },
    },
  ];
}
