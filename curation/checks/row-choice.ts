import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import { askedText, hasPhrase, numbersIn } from "../asked-text.ts";

const HIGH = [
  "most",
  "highest",
  "largest",
  "biggest",
  "greatest",
  "maximum",
  "longest",
  "tallest",
  "heaviest",
  "best",
  "more than any",
  "top",
];
const LOW = [
  "least",
  "lowest",
  "smallest",
  "fewest",
  "minimum",
  "shortest",
  "lightest",
  "worst",
  "cheapest",
  "bottom",
];
const AGE = [
  "oldest",
  "youngest",
  "earliest",
  "latest",
  "recent",
  "recently",
  "newest",
  "first",
  "last",
  "slowest",
  "fastest",
  "rank",
  "ranked",
  "ranking",
  "position",
  "older",
  "younger",
];

export default defineCheck({
  id: "row-choice",
  version: 1,
  title: "order or number of the rows is not what the question asks for",
  kinds: {
    other_direction: {
      severity: "error",
      confidence: 0.75,
      meaning: "rows are ordered the other way round than the question says",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Clause", audit: "wrong_column" },
    },
    order_missing: {
      severity: "error",
      confidence: 0.7,
      meaning: "the question asks for an order, and the gold has none",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Clause", audit: "wrong_column" },
    },
    other_limit: {
      severity: "error",
      confidence: 0.65,
      meaning: "the gold keeps another number of rows than the question says",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Clause", audit: "wrong_column" },
    },
    limit_missing: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the question asks for the rows at an end of an order, and the gold gives all",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Clause", audit: "wrong_column" },
    },
    order_of_one: {
      severity: "error",
      confidence: 0.8,
      meaning: "an aggregate over all rows gives one row, which is then ordered and cut",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Clause", audit: "tie_at_limit" },
    },
  },
  find: (subject) =>
    subject.facts.isQuery ? [...directions(subject), ...limits(subject), ...orderOfOne(subject)] : [],
});

function directions({ facts, example }: CheckSubject): Doubt[] {
  const { question } = askedText(example);
  const { orderedBy, limit } = facts;
  const terms = orderedBy.map(({ text, isDescending }) => `${text}${isDescending ? " DESC" : ""}`);
  const doubt = (kind: string, message: string): Doubt[] => [
    { kind, message, evidence: { orderedBy: terms } },
  ];
  const down =
    /\bdescending\b|\bdesc\b|from (?:the )?(?:high|larg|most(?! recent)|long|great|big)\p{L}* to\b|\bdecreasing\b/u.test(
      question,
    );
  const up =
    /\bascending\b|\basc\b|alphabetical|lexicographic|\bincreasing\b|from (?:the )?(?:low|small|least|short)\p{L}* to\b/u.test(
      question,
    );
  if (orderedBy.length === 0) {
    const asked =
      down ||
      up ||
      /\b(?:ordered|sorted|ranked|order(?:ed)? them|sort(?:ed)? them) by\b|\b(?:sort|order) (?:the \p{L}+ |them |it |results? )?by\b|in (?:the )?order of\b/u.test(
        question,
      );
    return asked && !facts.isGrouped
      ? doubt("order_missing", "the question asks for an order, and the gold has none")
      : [];
  }
  if (down !== up && orderedBy.length === 1) {
    const isDown = orderedBy[0]?.isDescending === true;
    if (isDown !== down)
      return doubt(
        "other_direction",
        `rows are ordered ${isDown ? "down" : "up"}, and the question says ${down ? "down" : "up"}`,
      );
    return [];
  }
  const [first] = orderedBy;
  if (limit === null || first === undefined || down || up || hasPhrase(question, AGE)) return [];
  const { evidence } = askedText(example);
  const [says, saysOther] = [evidence.includes("max("), evidence.includes("min(")];
  const isTold = says !== saysOther;
  const [high, low] = isTold ? [says, saysOther] : [hasPhrase(question, HIGH), hasPhrase(question, LOW)];
  if (high === low || question.includes("at least") || question.includes("at most")) return [];
  if (high && !first.isDescending)
    return doubt("other_direction", "rows are ordered up, and the question asks for the highest");
  return low && first.isDescending
    ? doubt("other_direction", "rows are ordered down, and the question asks for the lowest")
    : [];
}

function limits({ facts, example }: CheckSubject): Doubt[] {
  const { question } = askedText(example);
  const asked = askedRows(question);
  const { limit, hasLimit, orderedBy } = facts;
  if (asked !== null && limit !== null && limit !== asked && limit !== 1) {
    const message = `the question asks for ${asked} rows, and the gold keeps ${limit}`;
    return [{ kind: "other_limit", message, evidence: { asked, limit } }];
  }
  if (asked !== null && asked > 1 && limit === 1) {
    const message = `the question asks for ${asked} rows, and the gold keeps one`;
    return [{ kind: "other_limit", message, evidence: { asked, limit } }];
  }
  const isOne =
    /\b(?:which|what|who|find|show|give|list|return)\b[^?]*\b(?:the (?:most|least|highest|lowest|largest|smallest|longest|shortest|oldest|youngest|fewest|biggest|maximum|minimum|greatest))\b/u.test(
      question,
    );
  const sorts = /starting|\bfrom\b|ascending|descending|alphabetical|\border\b|\bsort|ordered|ranked/.test(
    question,
  );
  if (
    limit !== null &&
    limit > 1 &&
    asked === null &&
    isOne &&
    !/\d|three|five|ten|two|several|some|few/.test(question)
  ) {
    const message = `the question asks for one end of an order, and the gold keeps ${limit} rows`;
    return [{ kind: "other_limit", message, evidence: { asked: 1, limit } }];
  }
  if (hasLimit || orderedBy.length === 0 || sorts || !(isOne || asked !== null)) return [];
  const message = "the question asks for the rows at one end of an order, and the gold gives all";
  return [{ kind: "limit_missing", message, evidence: { orderedBy: orderedBy.map(({ text }) => text) } }];
}

/** More are no number of rows but a name: `room 111 most recently`. */
const MOST_ASKED = 100;

/** `top three`, `5 most expensive`; `null` where no number of rows is said. */
function askedRows(question: string): number | null {
  const number = String.raw`(\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)`;
  const match =
    new RegExp(String.raw`\b(?:top|first|bottom) ${number}\b`, "u").exec(question) ??
    new RegExp(
      String.raw`\b${number} (?:most|least|highest|lowest|largest|smallest|longest|shortest|oldest|youngest|cheapest|best|worst|biggest|heaviest|lightest|latest|newest)\b`,
      "u",
    ).exec(question);
  const rows = match === null ? null : (numbersIn(match[1] ?? "")[0] ?? null);
  return rows !== null && rows <= MOST_ASKED ? rows : null;
}

function orderOfOne({ facts }: CheckSubject): Doubt[] {
  const { results, isGrouped, orderedBy, hasLimit, isPlain } = facts;
  const isOneRow =
    isPlain && !isGrouped && results.length > 0 && results.every(({ aggregates }) => aggregates.length > 0);
  const isAggregateOrder = orderedBy.every(({ text }) => /^(?:count|sum|avg|max|min)\s*\(/i.test(text));
  if (!isOneRow || orderedBy.length === 0 || !hasLimit || isAggregateOrder) return [];
  const message = `${results.map(({ text }) => text).join(", ")} over all rows is one row: ORDER BY and LIMIT choose nothing`;
  return [{ kind: "order_of_one", message, evidence: { orderedBy: orderedBy.map(({ text }) => text) } }];
}
