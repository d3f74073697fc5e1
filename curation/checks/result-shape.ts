import { defineCheck } from "../../core/check.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import type { UsedColumn } from "../../core/gold-facts.ts";
import { foldName } from "../../sql/fold-name.ts";
import { nameWords, wordStem } from "../../sql/name-words.ts";
import { askedText, hasPhrase } from "../asked-text.ts";

/** What asks for a count. */
const COUNT = ["how many", "count", "number of", "total number", "numbers of"];
/** What can be answered by a count too. */
const AMOUNT = [
  ...COUNT,
  "how much",
  "total",
  "amount",
  "percentages?",
  "percent",
  "ratios?",
  "rate",
  "proportion",
  "frequency",
  "difference",
  "times",
  "most",
  "least",
  "fewest",
  "majority",
  "average",
  "quantity",
  "size",
  "popular",
  "common",
  "summary",
  "sum",
  "numbers?",
  "counts",
  "any",
  "is there",
  "are there",
  "%",
];
const AVERAGE = ["average", "averages", "averaged", "mean", "avg"];
const SUM = ["total", "sum", "overall", "altogether", "combined"];
const HIGH = [
  "maximum",
  "max",
  "highest",
  "largest",
  "biggest",
  "greatest",
  "longest",
  "tallest",
  "heaviest",
];
const LOW = ["minimum", "min", "lowest", "smallest", "shortest", "lightest", "cheapest"];

export default defineCheck({
  id: "result-shape",
  version: 1,
  title: "the gold gives another kind of answer than the question asks for",
  kinds: {
    count_asked: {
      severity: "error",
      confidence: 0.6,
      meaning: "the question asks how many, and the gold counts and adds nothing",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    count_unasked: {
      severity: "error",
      confidence: 0.55,
      meaning: "the gold gives a count alone, and the question does not ask for one",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    average_asked: {
      severity: "error",
      confidence: 0.65,
      meaning: "the question asks for an average, and the gold takes none",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    sum_asked: {
      severity: "warning",
      confidence: 0.45,
      meaning: "the question asks for a total, and the gold adds nothing",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    aggregate_unasked: {
      severity: "error",
      confidence: 0.6,
      meaning: "the gold takes an average, a maximum or a minimum that the question has no word for",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    other_extreme: {
      severity: "error",
      confidence: 0.75,
      meaning: "the question asks for the other end: the highest, not the lowest",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    extreme_missing: {
      severity: "error",
      confidence: 0.65,
      meaning: "the question asks for a maximum or a minimum, and the gold takes none",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    repeated_result: {
      severity: "error",
      confidence: 0.85,
      meaning: "the gold gives the same expression twice",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Attribute", audit: "wrong_column" },
    },
    sum_of_keys: {
      severity: "error",
      confidence: 0.75,
      meaning: "the gold adds or averages keys or texts",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Function", audit: "wrong_column" },
    },
    key_shown: {
      severity: "warning",
      confidence: 0.45,
      meaning: "the gold gives the key of another table where the question asks for what it stands for",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Attribute", audit: "wrong_column" },
    },
  },
  find: (subject) =>
    subject.facts.isQuery
      ? [
          ...countDoubts(subject),
          ...averageDoubts(subject),
          ...totalDoubts(subject),
          ...extremeDoubts(subject),
          ...keyDoubts(subject),
          ...repeatedResults(subject),
          ...sumsOfKeys(subject),
        ]
      : [],
});

/** Stems of the columns that a gold uses: a column of totals is asked for by the words of an aggregate. */
function columnStems({ facts }: CheckSubject): ReadonlySet<string> {
  return new Set(facts.columns.flatMap(({ column }) => nameWords(column)).map(wordStem));
}

function countDoubts(subject: CheckSubject): Doubt[] {
  const { facts, example } = subject;
  const { said } = askedText(example);
  const names = facts.aggregates.map(({ name }) => name);
  const [only] = facts.results;
  const isCount =
    facts.results.length === 1 && only?.aggregates.length === 1 && only.aggregates[0] === "count";
  const last = lastQuestion(example.question);
  if (isCount && !facts.isGrouped && !hasPhrase(said, AMOUNT)) {
    const message = `the gold gives only ${only?.text}, and the question asks for no number`;
    return [{ kind: "count_unasked", message, evidence: { result: only?.text ?? "" } }];
  }
  const asks =
    /^(?:please )?(?:how many|count|find the number of|what is the number of|give the number of|return the number of|show the number of)\b/u;
  const counts = names.some((name) => name === "count" || name === "sum" || name === "total");
  const stems = columnStems(subject);
  const hasColumn = ["number", "num", "count", "total", "amount", "quantity", "capacity", "no"].some((word) =>
    stems.has(word),
  );
  const isNumeric = facts.results.length > 0 && isNumericResult(subject);
  if (asks.test(last) && !counts && !hasColumn && !isNumeric) {
    const message = "the question asks how many, and the gold counts nothing";
    return [{ kind: "count_asked", message, evidence: { results: facts.results.map(({ text }) => text) } }];
  }
  if (
    asks.test(last) &&
    names.length > 0 &&
    !counts &&
    !hasColumn &&
    facts.results.some((one) => one.aggregates.length > 0)
  ) {
    const message = `the question asks how many, and the gold takes ${names.join(", ")}`;
    return [{ kind: "count_asked", message, evidence: { aggregates: names } }];
  }
  return [];
}

/** Whether a column holds amounts: numbers that are no keys. */
function isAmount({ database }: CheckSubject, { table, column }: UsedColumn): boolean {
  const known = database.schema.tables
    .find(({ name }) => name === table)
    ?.columns.find(({ name }) => name === column);
  return (
    /int|real|num|dec|floa|doub/i.test(known?.type ?? "") &&
    known?.primaryKey === 0 &&
    !/id$|code$|number$/i.test(column)
  );
}

function lastQuestion(question: string): string {
  return question.trim().toLowerCase();
}

function isNumericResult({ execution, facts, database }: CheckSubject): boolean {
  const numeric = facts.results.some(({ column }) => {
    const columns = database.schema.tables.find(({ name }) => name === column?.table)?.columns ?? [];
    const type = columns.find(({ name }) => name === column?.column)?.type ?? "";
    return /int|real|num|dec|floa|doub/i.test(type) && !/id$/i.test(column?.column ?? "");
  });
  if (numeric) return true;
  return (
    execution.rows.length > 0 && execution.rows.every((row) => row.some((cell) => typeof cell === "number"))
  );
}

function doubtOf(kind: string, message: string, aggregates: Iterable<string>): Doubt[] {
  return [{ kind, message, evidence: { aggregates: [...aggregates] } }];
}

function averageDoubts(subject: CheckSubject): Doubt[] {
  const { facts, example } = subject;
  const { question, said } = askedText(example);
  const names = new Set(facts.aggregates.map(({ name }) => name));
  const stems = columnStems(subject);
  if (hasPhrase(question, AVERAGE) && !/\bmeans? (?:of|that|to)\b/.test(question)) {
    const hasColumn = ["average", "avg", "mean"].some((word) => stems.has(word));
    if (names.has("avg") || facts.divisions.length > 0 || hasColumn) return [];
    return doubtOf("average_asked", "the question asks for an average, and the gold takes none", names);
  }
  const shown = new Set(facts.results.flatMap(({ aggregates }) => aggregates));
  const words = [...AVERAGE, "typical", "percentages?", "percent", "avg"];
  if (!shown.has("avg") || hasPhrase(said, words)) return [];
  return doubtOf("aggregate_unasked", "the gold takes an average that the question has no word for", shown);
}

const TOTAL_OF =
  /\b(?:total|sum|overall) (?:of )?(?:the )?(?:amount|cost|price|sales|salary|revenue|budget|population|income|value|expense|spent|payment|profit|number of \p{L}+ed)\b/u;

function totalDoubts(subject: CheckSubject): Doubt[] {
  const { facts, example } = subject;
  const { question, said } = askedText(example);
  if (hasPhrase(question, AVERAGE)) return [];
  const names = new Set(facts.aggregates.map(({ name }) => name));
  const isDivided = facts.divisions.length > 0;
  const countsAmount = facts.aggregates.some(
    ({ name, column, isDistinct }) =>
      name === "count" && !isDistinct && column !== null && isAmount(subject, column),
  );
  const asksTotal =
    /\btotal (?!number|count)/u.test(question) && !/\bhow many\b|\bnumber of\b/u.test(question);
  if (asksTotal && countsAmount && !names.has("sum")) {
    return doubtOf("sum_asked", "the question asks for a total, and the gold counts", names);
  }
  const stems = columnStems(subject);
  const adds = ["sum", "count", "total"].some((name) => names.has(name)) || isDivided;
  if (TOTAL_OF.test(question) && !adds && !["total", "sum"].some((word) => stems.has(word))) {
    return doubtOf("sum_asked", "the question asks for a total, and the gold adds nothing", names);
  }
  const shown = new Set(facts.results.flatMap(({ aggregates }) => aggregates));
  const isPlain = facts.aggregates.every(({ name, column }) => name !== "sum" || column !== null);
  const isOnlySum = shown.has("sum") && shown.size === 1 && !isDivided && isPlain;
  if (!isOnlySum || hasPhrase(said, [...SUM, ...AMOUNT, "all"])) return [];
  return doubtOf("aggregate_unasked", "the gold adds up, and the question has no word for it", ["sum"]);
}

function otherEnd(name: string): string {
  return `the gold takes ${name.toUpperCase()}, and the question asks for the other end`;
}

function extremeDoubts({ facts, example }: CheckSubject): Doubt[] {
  const { question, said } = askedText(example);
  const shown = new Set(facts.results.flatMap(({ aggregates }) => aggregates));
  const [high, low] = [hasPhrase(question, HIGH), hasPhrase(question, LOW)];
  if (shown.has("max") && !shown.has("min") && low && !high) {
    return [{ kind: "other_extreme", message: otherEnd("max"), evidence: { aggregates: [...shown] } }];
  }
  if (shown.has("min") && !shown.has("max") && high && !low) {
    return [{ kind: "other_extreme", message: otherEnd("min"), evidence: { aggregates: [...shown] } }];
  }
  const lacks = missingExtreme(facts, question);
  if (lacks !== null) {
    const told = `the question asks for a ${lacks}, and the gold takes none`;
    return [{ kind: "extreme_missing", message: told, evidence: { aggregates: [...shown] } }];
  }
  const anyWord =
    /\b(?:\p{L}+est|most|least|max\p{L}*|min\p{L}*|top|bottom|first|last|up to|earliest|latest|best|worst|recent|high|low|range|peak|record|still|before|after|one|end|start)\b/u;
  const name = ["max", "min"].find((one) => shown.has(one));
  if (name === undefined || anyWord.test(said)) return [];
  const told = `the gold takes ${name.toUpperCase()}, and the question has no word for it`;
  return [{ kind: "aggregate_unasked", message: told, evidence: { aggregates: [...shown] } }];
}

/** The word for an extreme that the question has and the gold does not take in any way. */
function missingExtreme(
  { aggregates, orderedBy, columns, divisions }: CheckSubject["facts"],
  question: string,
): string | null {
  if (orderedBy.length > 0 || aggregates.length === 0 || divisions.length > 0) return null;
  const names = new Set(aggregates.map(({ name }) => name));
  const stems = new Set(columns.flatMap(({ column }) => nameWords(column)).map(wordStem));
  const lacks = (word: string, short: string): boolean =>
    hasPhrase(question, [word]) && !names.has(short) && !stems.has(word) && !stems.has(short);
  if (lacks("maximum", "max")) return "maximum";
  return lacks("minimum", "min") ? "minimum" : null;
}

/** A key of another table in the result, where no word of the question asks for an id. */
function withoutSpace(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, "");
}

/** Expressions that come twice; a star aside. */
function repeatedResults({ facts }: CheckSubject): Doubt[] {
  const seen = new Set<string>();
  return facts.results.flatMap(({ text, isStar }): Doubt[] => {
    const isNew = !seen.has(withoutSpace(text));
    seen.add(withoutSpace(text));
    if (isNew || isStar) return [];
    return [{ kind: "repeated_result", message: `the gold gives ${text} twice`, evidence: { result: text } }];
  });
}

/** SUM and AVG of a column that is a key, or is declared to hold texts and has no numbers. */
function sumsOfKeys({ facts, database }: CheckSubject): Doubt[] {
  const keys = [...database.schema.foreignKeys, ...(database.describedForeignKeys ?? [])];
  return facts.aggregates.flatMap(({ name, column, argument }): Doubt[] => {
    if ((name !== "sum" && name !== "avg") || column === null) return [];
    const owner = database.schema.tables.find((table) => table.name === column.table);
    const known = owner?.columns.find((one) => one.name === column.column);
    const isAlone = (owner?.columns.filter(({ primaryKey }) => primaryKey > 0).length ?? 0) === 1;
    const isKey =
      (known?.primaryKey === 1 && isAlone) ||
      keys.some(
        (key) =>
          foldName(key.table) === foldName(column.table ?? "") &&
          foldName(key.column) === foldName(column.column),
      );
    const isName = /(?:^|_)(?:name|title|description|code|date)$/i.test(column.column);
    if (!isKey && !isName) return [];
    const message = `${name.toUpperCase()}(${argument}) adds ${isKey ? "keys" : "texts"}`;
    return [{ kind: "sum_of_keys", message, evidence: { aggregate: name, column: column.text } }];
  });
}

function keyDoubts({ facts, database, example }: CheckSubject): Doubt[] {
  const { stems, question } = askedText(example);
  const asksKey = ["id", "code", "link", "number", "identifier", "key", "ids", "no"].some((word) =>
    stems.has(word),
  );
  if (asksKey || /\bids?\b/.test(question)) return [];
  const keys = [...database.schema.foreignKeys, ...(database.describedForeignKeys ?? [])];
  const isKey = (table: string | null, column: string): boolean =>
    keys.some(
      (key) => foldName(key.table) === foldName(table ?? "") && foldName(key.column) === foldName(column),
    );
  const shown = facts.results.flatMap(({ column }) => (column === null ? [] : [column]));
  const isGrouped = (column: string): boolean =>
    facts.groupedBy.some((grouped) => foldName(grouped.column) === foldName(column));
  const found = shown.filter(
    ({ table, column }) => !isGrouped(column) && isKey(table, column) && /id$|^link|key$/i.test(column),
  );
  if (found.length === 0 || facts.setOperations.length > 0) return [];
  const columns = found.map(({ text }) => text);
  const message = `the gold gives ${columns.join(", ")}, a key of another table, and the question asks for no id`;
  return [{ kind: "key_shown", message, evidence: { columns } }];
}
