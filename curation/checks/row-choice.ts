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
const OLD = ["oldest", "earliest", "first"];
const YOUNG = ["youngest", "latest", "newest", "last"];
const RANKS = ["rank", "ranked", "ranking", "slowest", "fastest"];
const ENDS = ["oldest", "youngest", "earliest", "latest", "most recent", "most recently", "newest"];

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
    descent_unasked: {
      severity: "warning",
      confidence: 0.5,
      meaning: "rows are ordered down where the question only asks for an order",
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
      confidence: 0.55,
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

function directions(subject: CheckSubject): Doubt[] {
  const { facts, example } = subject;
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
  if (first === undefined || down || up) return [];
  if (limit === null) return unaskedDescent(first, question, doubt);
  const wanted = wantedEnd(subject, first.text);
  if (wanted === null || (wanted === "high") === first.isDescending) return [];
  return doubt(
    "other_direction",
    `rows are ordered ${first.isDescending ? "down" : "up"}, and the question asks for the ${wanted}est`,
  );
}

/** The end of an order that a question asks for, by its words and what is ordered by; `null` where they do not tell. */
function wantedEnd({ example }: CheckSubject, term: string): "high" | "low" | null {
  const asked = askedText(example);
  const question = asked.question
    .replaceAll(/\b(?:first|last)(?: and (?:first|last))?,? names?\b/gu, "name")
    .replaceAll(/\bfirst,? (?:and )?last\b/gu, "");
  const { evidence } = asked;
  const [says, saysOther] = [evidence.includes("max("), evidence.includes("min(")];
  if (says !== saysOther) return says ? "high" : "low";
  if (/\bat (?:least|most)\b/.test(question)) return null;
  if (/rank|position|place/i.test(term) || hasPhrase(question, RANKS)) return null;
  const isAge = /(?:^|[._ ])age$/i.test(term.trim());
  const isBirth = /birth|dob/i.test(term);
  const [old, young] = [hasPhrase(question, OLD), hasPhrase(question, YOUNG)];
  const [high, low] = [hasPhrase(question, HIGH), hasPhrase(question, LOW)];
  if (old !== young && !high && !low) {
    if (isAge) return old ? "high" : "low";
    const isTime = isBirth || /year|date|time|founded|established|opened|joined|built/i.test(term);
    return isTime ? (old ? "low" : "high") : null;
  }
  const isRecent = hasPhrase(question, ["most recent", "most recently", "recently"]);
  if (old || young || isRecent || high === low)
    return isRecent && /date|time|year/i.test(term) ? "high" : null;
  return high ? "high" : "low";
}

/** A descent where rows are only sorted: without a word for it, up is meant. */
function unaskedDescent(
  { isDescending }: { readonly isDescending: boolean },
  question: string,
  doubt: (kind: string, message: string) => Doubt[],
): Doubt[] {
  const sorts =
    /\b(?:sort(?:ed|s)?|order(?:ed)?|list(?:ed)?)\b[^.?]*\bby\b|\bin (?:the )?order of\b|\bordered list\b/u.test(
      question,
    );
  const speaks =
    /\b(?:most|high|higher|highest|top|larg\p{L}*|great\p{L}*|recent\p{L}*|lat\p{L}*|popular\p{L}*|reverse\p{L}*|best|oldest|long\p{L}*|big\p{L}*|rank\p{L}*|number|count|frequen\p{L}*|down|decreas\p{L}*|maximum)\b/u.test(
      question,
    );
  return isDescending && sorts && !speaks
    ? doubt("descent_unasked", "rows are ordered down, and the question only asks for an order")
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
  const isEnd =
    isOne || asked !== null || hasPhrase(question, [...HIGH.slice(0, 9), ...LOW.slice(0, 7), ...ENDS]);
  if (hasLimit || orderedBy.length === 0 || sorts || !isEnd) return [];
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
