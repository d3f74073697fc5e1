import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import type { UsedLiteral } from "../../core/gold-facts.ts";
import { nameWords, wordStem } from "../../sql/name-words.ts";
import { askedText, isSpokenOf, numbersIn, stemsOf } from "../asked-text.ts";
import { foldText } from "../near-text.ts";

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
      confidence: 0.55,
      meaning: "the question has a number that the gold does not have",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Condition", audit: "wrong_value_literal" },
    },
    unmentioned_text: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold looks for a text that neither question nor evidence speaks of",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Value", audit: "wrong_value_literal" },
    },
    other_sex: {
      severity: "error",
      confidence: 0.85,
      meaning: "the question asks for women and the gold for men, or the other way round",
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
      ? [...missingNames(subject), ...missingNumbers(subject), ...unmentioned(subject), ...otherSex(subject)]
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
  const { numbers, evidence, question } = askedText(example);
  const own = numbersOf(subject);
  const names = namesOf(subject);
  const shifted = new Set(facts.literals.map((literal) => otherwise(literal, question)));
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
  return facts.literals.flatMap((literal): Doubt[] => {
    const { kind, value, operator, column } = literal;
    if (column === null || !["=", "!=", "in", "like", "<", ">", "<=", ">="].includes(operator)) return [];
    if (kind === "number") {
      return unmentionedNumber(subject, literal);
    }
    if (isSpokenOf(value, asked)) return [];
    const message = `the gold looks for ${JSON.stringify(value)}, of which question and evidence say nothing`;
    return [{ kind: "unmentioned_text", message, evidence: { text: value, column: column.text } }];
  });
}

const INCLUSIVE =
  /\b(?:at least|or more|or above|or higher|or greater|or later|or older|minimum|at most|or less|or fewer|or below|or lower|up to|no more|no less|no fewer|since|from|starting|until|through)\b/u;
const EXCLUSIVE =
  /\b(?:\p{L}+er than|more than|less than|over|above|after|beyond|exceed\p{L}*|under|below|before|prior)\b/u;

/**
 * The number that a comparison by size can be told with as well: more than 5 is at least 6. Only where the question
 * speaks so.
 */
function otherwise({ value, operator }: UsedLiteral, question: string): number | null {
  const number = Number(value);
  if (operator === ">=" && EXCLUSIVE.test(question)) return number - 1;
  if (operator === "<=" && EXCLUSIVE.test(question)) return number + 1;
  if (operator === ">" && INCLUSIVE.test(question)) return number + 1;
  return operator === "<" && INCLUSIVE.test(question) ? number - 1 : null;
}

const TWICE = /\b(?:both|multiple|several|pair|twice|couple|double|two|second|each other)\b/u;

function unmentionedNumber({ example }: CheckSubject, literal: UsedLiteral): Doubt[] {
  const { allNumbers, said, numbers } = askedText(example);
  const value = Number(literal.value);
  const isSmall = value === 0 || value === 1 || (value === 2 && TWICE.test(said));
  const isKey = /id$|code$/i.test(literal.column?.column ?? "") && numbers.length === 0;
  if (isKey) return [];
  const shifted = otherwise(literal, said) ?? value;
  const isNear = [value, shifted, value * 100, value / 100].some((one) => allNumbers.has(one));
  if (!Number.isFinite(value) || isSmall || isNear) return [];
  if (said.replaceAll(",", "").includes(String(value))) return [];
  const message = `the gold compares with ${value}, which neither question nor evidence has`;
  return [{ kind: "unmentioned_number", message, evidence: { number: value } }];
}

function otherSex({ facts, example }: CheckSubject): Doubt[] {
  const { question } = askedText(example);
  const women = /\b(?:female|females|woman|women|girls?)\b/u.test(question);
  const men = /\b(?:male|males|man|men|boys?)\b/u.test(question);
  if (women === men) return [];
  const isOther = (value: string): boolean =>
    (women ? /^(?:m|male|man)$/i : /^(?:f|female|woman)$/i).test(value);
  const compared = facts.literals.filter(
    ({ column, operator }) => /sex|gender/i.test(column?.column ?? "") && operator === "=",
  );
  const others = compared.filter(({ value }) => isOther(value));
  if (others.length === 0 || others.length < compared.length) return [];
  const message = `the question asks for ${women ? "women" : "men"}, and the gold for ${others[0]?.value}`;
  return [{ kind: "other_sex", message, evidence: { value: others[0]?.value ?? "" } }];
}
