import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import type { GoldFacts, UsedLiteral } from "../../core/gold-facts.ts";
import { askedText, numbersIn } from "../asked-text.ts";

const NUMBER = String.raw`(?:the |a |an |\$|usd |year |age )?(\d[\d,]*(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|one)(?![\p{L}\p{N}])`;

/** Words before or behind a number, and the operators that say the same. */
const PHRASES: readonly { readonly pattern: RegExp; readonly operator: string }[] = [
  {
    pattern: new RegExp(String.raw`(?:no less|not less|no fewer|not fewer) than ${NUMBER}`, "gu"),
    operator: ">=",
  },
  {
    pattern: new RegExp(String.raw`(?:no more|not more|no greater|not greater) than ${NUMBER}`, "gu"),
    operator: "<=",
  },
  {
    pattern: new RegExp(
      String.raw`(?<!no |not )(?:more|greater|higher|larger|bigger|longer|older|heavier|taller|later|bigger) than ${NUMBER}(?! or equal)`,
      "gu",
    ),
    operator: ">",
  },
  {
    pattern: new RegExp(
      String.raw`(?:over|above|exceed|exceeds|exceeding|after|beyond)(?: \p{L}+)? ${NUMBER}`,
      "gu",
    ),
    operator: ">",
  },
  {
    pattern: new RegExp(
      String.raw`(?<!no |not )(?:less|fewer|lower|smaller|shorter|younger|lighter|earlier) than ${NUMBER}(?! or equal)`,
      "gu",
    ),
    operator: "<",
  },
  { pattern: new RegExp(String.raw`(?:under|below|before)(?: \p{L}+)? ${NUMBER}`, "gu"), operator: "<" },
  { pattern: new RegExp(String.raw`(?:at least|a minimum of|minimum of) ${NUMBER}`, "gu"), operator: ">=" },
  {
    pattern: new RegExp(String.raw`(?:at most|up to|a maximum of|maximum of) ${NUMBER}`, "gu"),
    operator: "<=",
  },
  {
    pattern: new RegExp(
      String.raw`${NUMBER}(?: \p{L}+){0,2} or (?:more|above|older|higher|greater)(?! than| \d| \p{L}+ than)`,
      "gu",
    ),
    operator: ">=",
  },
  {
    pattern: new RegExp(
      String.raw`${NUMBER}(?: \p{L}+){0,2} or (?:less|fewer|below|younger|lower)(?! than| \d| \p{L}+ than)`,
      "gu",
    ),
    operator: "<=",
  },
];

const SIZES: ReadonlySet<string> = new Set(["<", ">", "<=", ">=", "=", "!="]);

export default defineCheck({
  id: "comparison-words",
  version: 1,
  title: "the gold compares the other way than the words of the question",
  kinds: {
    other_side: {
      severity: "error",
      confidence: 0.8,
      meaning: "the gold asks for less where the question says more, or the other way round",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Operator", audit: "wrong_column" },
    },
    boundary: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold takes in the limit, or leaves it out, other than the question says",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Operator", audit: "wrong_column" },
    },
    equality: {
      severity: "error",
      confidence: 0.65,
      meaning: "the gold asks for equality where the question says more or less",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Operator", audit: "wrong_column" },
    },
    comparison_missing: {
      severity: "warning",
      confidence: 0.6,
      meaning: "the question says more or less than a small number, and the gold has no such comparison",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Condition", audit: "wrong_column" },
    },
    negation_missing: {
      severity: "error",
      confidence: 0.6,
      meaning: "the question excludes something, and the gold excludes nothing",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Operator", audit: "wrong_column" },
    },
    not_equal_unasked: {
      severity: "warning",
      confidence: 0.4,
      meaning: "the gold leaves out a value, and the question has no word of exclusion",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Operator", audit: "wrong_column" },
    },
    size_unasked: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold compares by size with a value that the question names without any such word",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Operator", audit: "wrong_column" },
    },
  },
  find: (subject) =>
    subject.facts.isQuery
      ? [...worded(subject), ...averages(subject), ...unworded(subject), ...negations(subject)]
      : [],
});

function worded({ facts, example }: CheckSubject): Doubt[] {
  const { question } = askedText(example);
  const doubts: Doubt[] = [];
  for (const { pattern, operator } of PHRASES) {
    for (const match of question.matchAll(pattern)) {
      const value = numbersIn(match[1] ?? "")[0];
      const used = facts.literals.filter((one) => Number(one.value) === value && SIZES.has(one.operator));
      if (value === undefined || used.some((one) => says(one, operator))) continue;
      if (used.length === 0) {
        if (value > 2 || isCountedOtherwise(facts, value, operator)) continue;
        const message = `the question says "${match[0]}", and the gold has no such comparison`;
        doubts.push({ kind: "comparison_missing", message, evidence: { phrase: match[0] } });
        continue;
      }
      const operators = used.map((one) => one.operator);
      const kind = kindOf(operators[0] ?? "", operator);
      if (kind === null) continue;
      const message = `the question says "${match[0]}", and the gold compares by ${operators.join(", ")}`;
      doubts.push({ kind, message, evidence: { phrase: match[0], operators } });
    }
  }
  return doubts;
}

/** A comparison with an average: higher than the average, lower than average. */
function averages({ example, sql }: CheckSubject): Doubt[] {
  const { question } = askedText(example);
  const operators = [...sql.matchAll(/([<>])=?\s*\(\s*select\s+avg\b/gi)].map(
    ([, operator]) => operator ?? "",
  );
  const more =
    /\b(?:more|higher|greater|larger|longer|older|taller|heavier|above|over|exceed\p{L}*|bigger) (?:\p{L}+ ){0,2}?(?:the |its |their |that |of )*(?:average|mean)\b/u.test(
      question,
    );
  const less =
    /\b(?:less|lower|smaller|shorter|younger|lighter|fewer|below|under) (?:\p{L}+ ){0,2}?(?:the |its |their |that |of )*(?:average|mean)\b/u.test(
      question,
    );
  const wanted = more ? ">" : "<";
  if (more === less || operators.length === 0 || operators.includes(wanted)) return [];
  const message = `the question asks for ${more ? "more" : "less"} than an average, and the gold compares by ${operators[0]}`;
  return [{ kind: "other_side", message, evidence: { operators } }];
}

/** Whether an operator says what is asked for, possibly of its opposite: NOT, EXCEPT. */
function says({ operator }: UsedLiteral, asked: string): boolean {
  return operator === asked;
}

function kindOf(operator: string, asked: string): string | null {
  if (operator === "=" || operator === "!=") return "equality";
  if (operator.charAt(0) !== asked.charAt(0)) return "other_side";
  return operator === asked ? null : "boundary";
}

/** Whether a small number is compared with as the next one, or the gold counts by other means: IN, EXISTS, a join. */
function isCountedOtherwise(facts: GoldFacts, value: number, operator: string): boolean {
  const shift = operator === ">" || operator === "<=" ? 1 : -1;
  const shifted: Readonly<Record<string, string>> = { ">": ">=", ">=": ">", "<": "<=", "<=": "<" };
  const isNext = facts.literals.some(
    (one) => Number(one.value) === value + shift && one.operator === shifted[operator],
  );
  const isSome = (operator === ">=" && value === 1) || (operator === "<" && value === 1);
  const isSelfJoin = new Set(facts.sources.map(({ table }) => table)).size < facts.sources.length;
  return isNext || isSome || isSelfJoin || facts.keywords.has("distinct");
}

const NEGATION =
  /\b(?:not|never|without|outside|except|excluding|neither|nobody|other than|besides)\b|n't\b/u;
/** Uses of these words that exclude nothing. */
const NO_NEGATION =
  /\b(?:not only|whether or not|or not|if not|is not (?:null|empty)|not (?:including|more|less|fewer|greater)|without duplicat\p{L}*|besides|not (?:repeat|duplicat)\p{L}*|cannot|not null)\b/u;

/** A question that excludes something of which the gold knows nothing: no NOT, EXCEPT, `!=`, IS NULL or outer join. */
function negations({ facts, example, sql }: CheckSubject): Doubt[] {
  const { question } = askedText(example);
  const word = NEGATION.exec(question)?.[0];
  if (word === undefined || NO_NEGATION.test(question)) return [];
  const excludes =
    ["not", "except", "null", "isnull", "left"].some((one) => facts.keywords.has(one)) ||
    /\bnotnull\b|!=|<>/i.test(sql) ||
    facts.literals.some(({ value, operator }) => {
      const isFlag = ["0", "no", "false", "n", "f", "none"].includes(value.toLowerCase());
      return isFlag || ["<", ">", "<=", ">="].includes(operator);
    });
  const isNamed = facts.literals.some(({ value }) => /\b(?:not?|un|non|never|without|other)/i.test(value));
  if (excludes || isNamed) return [];
  const message = `the question says "${word}", and the gold excludes nothing`;
  return [{ kind: "negation_missing", message, evidence: { word } }];
}

const EXCLUSION =
  /\b(?:not|n't|no|non|never|without|other|except|exclud\p{L}*|different|besides|neither|nor|but|rather|un\p{L}+|in\p{L}+|dis\p{L}+|both|another|apart|outside|any|have|has)\b|n't|non-/u;
const SIZE_WORDS =
  /\b(?:\p{L}+er|more|less|than|over|under|above|below|before|after|least|most|exceed\p{L}*|between|since|until|from|within|up|beyond|past|during|past|earlier|later|minimum|maximum|positive|negative|some|any|not|late|early|still|multiple|several|out|full|valid|\d0s)\b|[<>]/u;

function unworded({ facts, example, sql }: CheckSubject): Doubt[] {
  const { said } = askedText(example);
  return facts.literals.flatMap((literal): Doubt[] => {
    const { operator, column, value } = literal;
    if (column === null || value === "" || value.toLowerCase() === "null") return [];
    const place = `${column.text} ${operator} ${value}`;
    if (operator === "!=" && !EXCLUSION.test(said) && !/\bnot\b/i.test(sql)) {
      const message = `the gold leaves out ${place}, and the question excludes nothing`;
      return [{ kind: "not_equal_unasked", message, evidence: { condition: place } }];
    }
    if (!["<", ">", "<=", ">="].includes(operator) || SIZE_WORDS.test(said)) return [];
    const message = `the gold compares by size, ${place}, and the question has no word for it`;
    return [{ kind: "size_unasked", message, evidence: { condition: place } }];
  });
}
