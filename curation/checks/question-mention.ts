import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import { nameWords, wordStem } from "../../sql/name-words.ts";
import { askedText, numbersIn, stemsOf } from "../asked-text.ts";
import { editDistance, foldText } from "../near-text.ts";

export default defineCheck({
  id: "question-mention",
  version: 1,
  title: "question and gold name different values",
  kinds: {
    name_missing: {
      severity: "warning",
      confidence: 0.55,
      meaning: "the question has a text in quotation marks that the gold does not have",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Condition", audit: "wrong_value_literal" },
    },
    number_missing: {
      severity: "warning",
      confidence: 0.45,
      meaning: "the question has a number that the gold does not have",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Condition", audit: "wrong_value_literal" },
    },
    unmentioned_text: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold looks for a text that neither question nor evidence speaks of",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Value", audit: "wrong_value_literal" },
    },
    unmentioned_number: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold compares with a number that neither question nor evidence has",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Value", audit: "wrong_value_literal" },
    },
  },
  find: (subject) =>
    subject.facts.isQuery
      ? [...missingNames(subject), ...missingNumbers(subject), ...unmentioned(subject)]
      : [],
});

function missingNames(subject: CheckSubject): Doubt[] {
  const { facts, example } = subject;
  const said = foldText(subject.sql);
  return askedText(example)
    .quoted.filter((text) => foldText(text).length > 1 && !said.includes(foldText(text)))
    .filter((text) => !stemsOf(text).every((word) => namesOf(subject).has(word)))
    .filter((text) => !facts.literals.some(({ value }) => isLike(text, value)))
    .map((text) => ({
      kind: "name_missing",
      message: `the question names ${JSON.stringify(text)}, and the gold does not`,
      evidence: { text },
    }));
}

function isLike(left: string, right: string): boolean {
  const [one, other] = [foldText(left), foldText(right)];
  return other !== "" && (one.includes(other) || other.includes(one));
}

/** Words of the tables and columns that a gold uses. */
function namesOf({ facts }: CheckSubject): ReadonlySet<string> {
  const names = [...facts.tables, ...facts.columns.map(({ column }) => column)];
  return new Set(names.flatMap(nameWords).map(wordStem));
}

function numbersOf({ facts }: CheckSubject): ReadonlySet<number> {
  const own = facts.literals.flatMap(({ value }) => [Number(value), ...numbersIn(value)]);
  return new Set(own.filter(Number.isFinite));
}

function missingNumbers(subject: CheckSubject): Doubt[] {
  const { facts, example, sql } = subject;
  const { numbers, evidence } = askedText(example);
  const own = numbersOf(subject);
  const names = namesOf(subject);
  const shifted = new Set(
    facts.literals
      .map(({ value, operator }) => Number(value) + (SHIFTS[operator] ?? 0))
      .filter(Number.isFinite),
  );
  const covered = (value: number): boolean => own.has(value) || own.has(value / 100) || shifted.has(value);
  const missing = numbers.filter(
    (value) =>
      value > 2 &&
      !covered(value) &&
      !sql.includes(String(value)) &&
      !names.has(String(value)) &&
      value < 1e12,
  );
  const isExplained = /\d/.test(evidence) || facts.literals.some(({ operator }) => operator === "between");
  if (missing.length === 0 || isExplained) return [];
  return [...new Set(missing)].map((value) => ({
    kind: "number_missing",
    message: `the question has the number ${value}, and the gold does not`,
    evidence: { number: value },
  }));
}

function unmentioned(subject: CheckSubject): Doubt[] {
  const { facts, example } = subject;
  const asked = askedText(example);
  const text = foldText(`${asked.question} ${asked.evidence}`);
  return facts.literals.flatMap((literal): Doubt[] => {
    const { kind, value, operator, column } = literal;
    if (column === null || !["=", "!=", "in", "like", "<", ">", "<=", ">="].includes(operator)) return [];
    if (kind === "number") {
      return /id$/i.test(column.column) ? [] : unmentionedNumber(subject, Number(value), operator);
    }
    if (isMentioned(value, text, asked.stems)) return [];
    const message = `the gold looks for ${JSON.stringify(value)}, of which question and evidence say nothing`;
    return [{ kind: "unmentioned_text", message, evidence: { text: value, column: column.text } }];
  });
}

/** Codes, dates and numbers in texts are mostly said in other words: those are let pass. */
function isMentioned(value: string, text: string, stems: ReadonlySet<string>): boolean {
  const words = stemsOf(value).filter((word) => word.length > 3 && !/\d/.test(word));
  if (words.length === 0 || value.toLowerCase() === "null" || text.includes(foldText(value))) return true;
  return words.some((word) => isSaid(word, stems));
}

function isSaid(word: string, stems: ReadonlySet<string>): boolean {
  if (stems.has(word)) return true;
  const root = word.slice(0, Math.max(4, word.length - 3));
  for (const stem of stems) {
    if (stem.startsWith(root) || (stem.length > 3 && word.startsWith(stem))) return true;
    if (Math.abs(stem.length - word.length) < 2 && word.length > 4 && editDistance(stem, word) < 2)
      return true;
  }
  return false;
}

/** A limit that is taken in may be written as the next number: more than 5 is at least 6. */
const SHIFTS: Readonly<Record<string, number>> = { ">=": -1, "<=": 1, ">": 1, "<": -1 };

function unmentionedNumber({ example }: CheckSubject, value: number, operator: string): Doubt[] {
  const { allNumbers, question, evidence } = askedText(example);
  const isSmall = Math.abs(value) <= 2;
  const shifted = value + (SHIFTS[operator] ?? 0);
  const isNear = [value, shifted, value * 100, value / 100].some((one) => allNumbers.has(one));
  if (!Number.isFinite(value) || isSmall || isNear) return [];
  if (`${question} ${evidence}`.replaceAll(",", "").includes(String(value))) return [];
  const message = `the gold compares with ${value}, which neither question nor evidence has`;
  return [{ kind: "unmentioned_number", message, evidence: { number: value } }];
}
