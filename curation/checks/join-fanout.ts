import { defineCheck } from "../../core/check.ts";
import type { Doubt } from "../../core/check.ts";
import type { AggregateCall, GoldFacts, UsedColumn, UsedSource } from "../../core/gold-facts.ts";
import type { QueryReply } from "../../core/sql-runner.ts";
import { nameWords, wordStem } from "../../sql/name-words.ts";
import { quotedName } from "../../sql/quoted-names.ts";
import { askedText } from "../asked-text.ts";

const COUNTING: ReadonlySet<string> = new Set(["count", "sum", "avg", "total"]);

export default defineCheck({
  id: "join-fanout",
  version: 1,
  title: "a join repeats the rows that an aggregate takes together",
  kinds: {
    repeated_sum: {
      severity: "error",
      confidence: 0.6,
      meaning: "SUM or AVG takes a row of its table several times",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Table", audit: "join_fanout" },
    },
    repeated_count: {
      severity: "warning",
      confidence: 0.4,
      meaning: "COUNT counts a row of its table several times",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Table", audit: "join_fanout" },
    },
    other_rows_counted: {
      severity: "error",
      confidence: 0.55,
      meaning: "the question counts rows of one table, and COUNT(*) counts those of a join that repeats them",
      taxonomy: { wretblad: "3", kang: "E1", "nl2sql-bugs": "Table", audit: "join_fanout" },
    },
    unused_source: {
      severity: "warning",
      confidence: 0.2,
      meaning: "a table is joined that nothing else uses, and it repeats rows",
      taxonomy: { wretblad: "3", "nl2sql-bugs": "Table", audit: "join_fanout" },
    },
  },
  probes: ({ facts }) => {
    if (!isJoin(facts)) return [];
    const names = facts.sources.map(({ name }) => `count(DISTINCT ${quotedName(name)}.rowid)`);
    const rows = { name: "rows", sql: `SELECT count(*), ${names.join(", ")}${facts.rowsText}`, maxRows: 1 };
    if (facts.groupedBy.length === 0) return [rows];
    const most = names.map((_, place) => `max(n${place})`).join(", ");
    const counted = names.map((name, place) => `${name} AS n${place}`).join(", ");
    const keys = facts.groupedBy.map(({ text }) => text).join(", ");
    const groups = `SELECT ${most} FROM (SELECT ${counted}${facts.rowsText} GROUP BY ${keys})`;
    return [rows, { name: "groups", sql: groups, maxRows: 1 }];
  },
  find: ({ facts, example }, answers) => {
    const [counts] = answers.get("rows")?.rows ?? [];
    if (counts === undefined || !isJoin(facts)) return [];
    const [all = 0, ...distinct] = counts.map(Number);
    const repeats = (source: UsedSource): boolean => (distinct[facts.sources.indexOf(source)] ?? all) < all;
    const doubts: Doubt[] = [];
    for (const call of facts.aggregates) {
      const source = takenSource(facts, call);
      if (source === undefined || !repeats(source)) continue;
      if (countsOthers(facts, call, source, answers.get("groups"))) continue;
      const own = distinct[facts.sources.indexOf(source)] ?? 0;
      doubts.push({
        kind: call.name === "count" ? "repeated_count" : "repeated_sum",
        message: `${call.name.toUpperCase()}(${call.argument}) takes ${own} rows of ${source.table} ${all} times`,
        evidence: { aggregate: call.argument, table: source.table, joinedRows: all, rows: own },
      });
    }
    const counted = countedSource(facts, askedText(example).question);
    if (counted !== undefined && repeats(counted)) {
      const own = distinct[facts.sources.indexOf(counted)] ?? 0;
      doubts.push({
        kind: "other_rows_counted",
        message: `COUNT(*) counts ${all} rows of a join, of ${own} rows of ${counted.table}`,
        evidence: { table: counted.table, joinedRows: all, rows: own },
      });
    }
    const unused = facts.sources.find((source) => isUnused(facts, source));
    const others = facts.sources.filter((source) => source !== unused);
    const isRows = !facts.isDistinct && !facts.isGrouped && facts.aggregates.length === 0;
    if (unused !== undefined && isRows && others.every(repeats) && !repeats(unused)) {
      doubts.push({
        kind: "unused_source",
        message: `${unused.table} is joined and not used, and repeats the rows of the others`,
        evidence: { table: unused.table, joinedRows: all },
      });
    }
    return doubts;
  },
});

/**
 * Whether an aggregate of a grouped statement tells how many rows others have for each of this source, or sums what
 * each group has once: then the repetition is what is asked for.
 */
function countsOthers(
  facts: GoldFacts,
  call: AggregateCall,
  { source }: UsedSource,
  groups: QueryReply | undefined,
): boolean {
  if (!facts.isGrouped) return false;
  if (call.name !== "count") return facts.groupedBy.some((column) => column.source === source);
  if (facts.groupedBy.some((column) => column.source !== source)) return true;
  const place = facts.sources.findIndex((one) => one.source === source);
  const mostRows = Number(groups?.rows[0]?.[place] ?? 1);
  return mostRows <= 1;
}

function isJoin({ isPlain, sources, rowsText }: GoldFacts): boolean {
  const isPlainJoin = isPlain && rowsText !== "" && sources.length > 1 && sources.length < 9;
  return isPlainJoin && sources.every(({ table }) => table !== null);
}

/** The source that a question asks the number of, where the gold counts rows of a join without groups. */
function countedSource(facts: GoldFacts, question: string): UsedSource | undefined {
  const [call, ...others] = facts.aggregates;
  const isCount = call?.name === "count" && call.argument === "*" && others.length === 0;
  if (!isCount || facts.isGrouped || facts.results.length !== 1) return undefined;
  const [, noun] =
    /^(?:how many|count(?: the)?(?: number of)?|what is the number of|find the number of)\s+(\p{L}+)/u.exec(
      question.trim(),
    ) ?? [];
  if (noun === undefined) return undefined;
  return facts.sources.find(({ table }) => {
    const words = nameWords(table ?? "").map(wordStem);
    return words.length === 1 && words[0] === wordStem(noun);
  });
}

/** The source whose rows alone an aggregate takes: of a CASE that whose column it gives. */
function takenSource(facts: GoldFacts, call: AggregateCall): UsedSource | undefined {
  if (!COUNTING.has(call.name) || call.isDistinct || !call.isOutermost) return undefined;
  const taken = /^case\b/i.test(call.argument) ? givenColumns(call) : call.columns;
  const [first, ...others] = taken;
  if (first === undefined || others.some((column) => column.source !== first.source)) return undefined;
  return facts.sources.find(({ source }) => source === first.source);
}

/** The columns of an aggregated CASE that stand by themselves behind THEN and ELSE. */
function givenColumns({ argument, columns }: AggregateCall): UsedColumn[] {
  const given = [...argument.matchAll(/\b(?:then|else)\s+(\S+)\s+(?=else\b|end\b|when\b)/gi)].map(
    ([, text]) => text,
  );
  return columns.filter(({ text }) => given.includes(text));
}

function isUnused(facts: GoldFacts, { source }: UsedSource): boolean {
  const joined = facts.joins.filter(({ left, right }) => left.source === source || right.source === source);
  const uses = facts.columns.filter((column) => column.source === source);
  return joined.length === 1 && uses.length === 1 && !facts.results.some(({ isStar }) => isStar);
}
