import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import { foldName } from "../../sql/fold-name.ts";
import { askedText } from "../asked-text.ts";
import { foldText } from "../near-text.ts";

const CONDITION =
  /(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_.]*)\s*(=|<>|!=|<=|>=|<|>)\s*(?:'([^']+)'|"([^"]+)"|(-?\d+(?:\.\d+)?))/gu;

export default defineCheck({
  id: "evidence-condition",
  version: 1,
  title: "the evidence states what the gold does not do",
  kinds: {
    other_value: {
      severity: "error",
      confidence: 0.65,
      meaning: "the gold compares the column of the evidence with another value",
      taxonomy: { wretblad: "3", kang: "E3", "nl2sql-bugs": "Value", audit: "evidence_contradiction" },
    },
    value_missing: {
      severity: "warning",
      confidence: 0.4,
      meaning: "the gold leaves out a condition that the evidence states",
      taxonomy: { wretblad: "3", kang: "E3", "nl2sql-bugs": "Value", audit: "evidence_contradiction" },
    },
    operator_differs: {
      severity: "error",
      confidence: 0.65,
      meaning: "the gold compares with the value of the evidence by another operator",
      taxonomy: { wretblad: "3", kang: "E3", "nl2sql-bugs": "Operator", audit: "evidence_contradiction" },
    },
    column_differs: {
      severity: "warning",
      confidence: 0.45,
      meaning: "the gold holds the value of the evidence against another column",
      taxonomy: { wretblad: "3", kang: "E3", "nl2sql-bugs": "Attribute", audit: "evidence_contradiction" },
    },
    column_missing: {
      severity: "warning",
      confidence: 0.25,
      meaning: "the evidence names a column that the gold does not use",
      taxonomy: { wretblad: "3", kang: "E3", "nl2sql-bugs": "Attribute", audit: "evidence_contradiction" },
    },
  },
  find: (subject) => {
    const { example } = subject;
    if (example.evidence === null || !subject.facts.isQuery) return [];
    return [...conditionDoubts(subject, example.evidence), ...columnDoubts(subject, example.evidence)];
  },
});

function isSize(operator: string): boolean {
  return ["<", ">", "<=", ">="].includes(operator);
}

function conditionDoubts(subject: CheckSubject, evidence: string): Doubt[] {
  const { facts, database } = subject;
  const columns = new Set(
    database.schema.tables.flatMap((table) => table.columns.map(({ name }) => foldName(name))),
  );
  const doubts: Doubt[] = [];
  for (const match of evidence.replace(/[‘’]/g, "'").matchAll(CONDITION)) {
    const [text, written = "", operator = "", single, double, number] = match;
    const name = foldName(written.split(".").at(-1) ?? "");
    const value = single ?? double ?? number ?? "";
    if (!columns.has(name)) continue;
    const same = facts.literals.filter((literal) => foldText(literal.value) === foldText(value));
    if (same.length === 0) {
      const own = valuesOf(subject, name);
      const isKey = name.endsWith("id") || (own.length === 0 && comparesKey(subject));
      if (isKey || isCovered(value, subject) || (number !== undefined && own.length === 0)) continue;
      const kind = own.length > 0 ? "other_value" : "value_missing";
      const instead = own.length > 0 ? ` but ${own.join(", ")}` : "";
      const message = `the evidence says ${text}, and the gold has no ${value}${instead}`;
      doubts.push({ kind, message, evidence: { condition: text, value, own } });
      continue;
    }
    const compared = same.filter(({ column }) => column !== null);
    if (compared.length === 0) continue;
    const alike = compared.filter(({ column }) => foldName(column?.column ?? "") === name);
    if (alike.length === 0) {
      if (number !== undefined) continue;
      const used = compared.map(({ column }) => column?.text ?? "");
      const message = `the evidence says ${text}, and the gold compares ${used.join(", ")}`;
      doubts.push({ kind: "column_differs", message, evidence: { condition: text, used } });
      continue;
    }
    const wanted = operator === "<>" ? "!=" : operator;
    const operators = alike.map((literal) => literal.operator);
    if (isSize(wanted) && operators.every((one) => one !== wanted && isSize(one))) {
      const message = `the evidence says ${text}, and the gold compares by ${operators.join(", ")}`;
      doubts.push({ kind: "operator_differs", message, evidence: { condition: text, operators } });
    }
  }
  return doubts;
}

/** Values that a gold compares a column with. */
function valuesOf({ facts }: CheckSubject, name: string): string[] {
  return facts.literals.flatMap(({ column, value }) =>
    column !== null && foldName(column.column) === name ? [value] : [],
  );
}

/** Whether a gold compares a key with a number: what stands for a value that the evidence names. */
function comparesKey({ facts }: CheckSubject): boolean {
  return facts.literals.some(({ kind, column }) => kind === "number" && /id$/i.test(column?.column ?? ""));
}

/** Whether a number is written in another way: in a pattern, beside a CAST, as a part of a date. */
function isCovered(value: string, { sql, facts }: CheckSubject): boolean {
  const folded = foldText(value);
  if (folded === "") return true;
  const isPart = facts.literals.some(
    (literal) => foldText(literal.value).includes(folded) || folded.includes(foldText(literal.value) || "\0"),
  );
  return isPart || foldText(sql).includes(folded);
}

/** Names with an underscore that are columns: no word of the language is meant. */
function columnDoubts({ facts, database, example }: CheckSubject, evidence: string): Doubt[] {
  const used = new Set(facts.columns.map(({ column }) => foldName(column)));
  if (facts.results.some(({ isStar }) => isStar)) return [];
  const named = new Set<string>();
  for (const [name] of evidence.matchAll(/[\p{L}][\p{L}\p{N}]*(?:_[\p{L}\p{N}]+)+/gu))
    named.add(foldName(name));
  const columns = new Map(
    database.schema.tables.flatMap((table) =>
      table.columns.map(({ name }) => [foldName(name), table.name] as const),
    ),
  );
  const missing = [...named].filter(
    (name) => columns.has(name) && !used.has(name) && !/(^|_)id$|^link_/.test(name),
  );
  if (missing.length === 0 || askedText(example).evidence === "") return [];
  const message = `the evidence names ${missing.join(", ")}, which the gold does not use`;
  return [{ kind: "column_missing", message, evidence: { columns: missing } }];
}
