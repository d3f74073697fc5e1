import { defineCheck } from "../../core/check.ts";
import type { AggregateCall } from "../../core/gold-facts.ts";
import type { CheckSubject, Doubt } from "../../core/check.ts";
import { askedText, hasPhrase } from "../asked-text.ts";

const WORDS = [
  "different",
  "distinct",
  "unique",
  "differing",
  "uniquely",
  "distinctly",
  "deduplicated",
  "without duplicates",
];

export default defineCheck({
  id: "distinct-rows",
  version: 1,
  title: "DISTINCT is missing, or removes what is asked for",
  kinds: {
    distinct_asked: {
      severity: "error",
      confidence: 0.65,
      meaning: "the question asks for different values, and the gold repeats some",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Other", audit: "missing_distinct" },
    },
    count_distinct_asked: {
      severity: "error",
      confidence: 0.65,
      meaning: "the question asks how many different ones, and the gold counts some several times",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Other", audit: "missing_distinct" },
    },
    joined_duplicates: {
      severity: "note",
      confidence: 0.15,
      meaning: "a join makes the gold give equal rows",
      taxonomy: { wretblad: "3", "nl2sql-bugs": "Other", audit: "missing_distinct" },
    },
    needless_distinct: {
      severity: "note",
      confidence: 0.12,
      meaning: "DISTINCT removes rows, and the question has no word for it",
      taxonomy: { wretblad: "3", "nl2sql-bugs": "Other", audit: "extra_distinct" },
    },
  },
  probes: ({ sql, facts, example }) => {
    if (facts.isDistinct && facts.isPlain) {
      return [{ name: "all", sql: sql.replace(/^(\s*select)\s+distinct\b/i, "$1"), maxRows: 1 }];
    }
    const call = countOf(facts.aggregates);
    if (call === undefined || !hasPhrase(askedText(example).question, WORDS)) return [];
    return [{ name: "distinct", sql: withDistinct(sql, call), maxRows: 3 }];
  },
  find: (subject, answers) => {
    const { sql, facts, execution } = subject;
    if (execution.execution.status !== "ok") return [];
    const asks = hasPhrase(askedText(subject.example).question, WORDS);
    const call = countOf(facts.aggregates);
    const distinct = answers.get("distinct");
    if (call !== undefined && distinct?.execution.status === "ok") {
      if (distinct.execution.digest === execution.execution.digest || facts.isDistinct) return [];
      const message = `the question asks for different ones, and ${sql.slice(call.start, call.end)} counts some several times`;
      const suggestion = { field: "gold", after: withDistinct(sql, call) } as const;
      return [{ kind: "count_distinct_asked", message, evidence: { distinct: distinct.rows }, suggestion }];
    }
    const all = answers.get("all");
    if (all?.execution.status === "ok" && !asks) {
      const [kept, given] = [execution.execution.rows, all.execution.rows];
      if (kept === given || facts.hasLimit) return [];
      const message = `DISTINCT leaves ${kept} of ${given} rows, and the question has no word for it`;
      return [{ kind: "needless_distinct", message, evidence: { rows: kept, all: given } }];
    }
    return repeatedRows(subject, asks);
  },
});

function repeatedRows({ facts, sql, execution }: CheckSubject, asks: boolean): Doubt[] {
  const { rows } = execution;
  if (facts.isDistinct || !facts.isPlain || rows.length < 2) return [];
  const different = new Set(rows.map((row) => JSON.stringify(row))).size;
  if (different === rows.length) return [];
  const evidence = { rows: rows.length, different };
  if (!asks && facts.sources.length < 2) return [];
  const message = `${rows.length} rows of its result are only ${different} different ones`;
  if (!asks) return [{ kind: "joined_duplicates", message, evidence }];
  const after = sql.replace(/^(\s*select)\b/i, "$1 DISTINCT");
  return [{ kind: "distinct_asked", message, evidence, suggestion: { field: "gold", after } }];
}

/** The one COUNT of a result that takes a column and has no DISTINCT. */
function countOf(aggregates: readonly AggregateCall[]): AggregateCall | undefined {
  const counts = aggregates.filter(({ name, isOutermost }) => name === "count" && isOutermost);
  const [call] = counts;
  return counts.length === 1 && call !== undefined && !call.isDistinct && call.column !== null
    ? call
    : undefined;
}

function withDistinct(sql: string, { start, argument }: AggregateCall): string {
  const at = sql.indexOf(argument, start);
  return `${sql.slice(0, at)}DISTINCT ${sql.slice(at)}`;
}
