import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Cell } from "../../../core/execution.ts";
import gradedEx from "../../../curation/metrics/graded-ex.ts";
import { createSqlJudge } from "../../../pipelines/sql-judge.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

type Rows = readonly (readonly Cell[])[];

/** Judges rows as a worker does: the gold's are those of the rewritten statement. */
function judgeRows(gold: string, goldRows: Rows, predictedRows: Rows) {
  const rewriting = gradedEx.rewrite?.(gold, "SELECT 1");
  const goldSql = rewriting !== undefined && "goldSql" in rewriting ? rewriting.goldSql : gold;
  return gradedEx.judge(pairOf(unnamed(goldRows), unnamed(predictedRows), { gold: goldSql }));
}

const ORDERED = "SELECT name FROM t ORDER BY age";
const SECOND = "SELECT name FROM t ORDER BY age LIMIT 1 OFFSET 1";
const TWO = "SELECT name FROM t ORDER BY age LIMIT 2";
const ANY = "SELECT name FROM t LIMIT 2";
const ALL = "SELECT name FROM t";
const UNIQUE = "SELECT DISTINCT name FROM t";
const UNKNOWN = "SELECT DISTINCT name FROM t ORDER BY age";
const AGES: Rows = [
  ["Ann", 1n],
  ["Bob", 2n],
  ["Cid", 2n],
  ["Dee", 3n],
];
const TIED: Rows = [
  ["Ann", 1n],
  ["Bob", 2n],
  ["Cid", 2n],
];
const CLEAN: Rows = [
  ["Ann", 1n],
  ["Bob", 2n],
  ["Cid", 3n],
];

const names = (...of: string[]): Rows => of.map((name) => [name]);

describe("graded-ex", () => {
  it.each<[string, string, Rows, Rows, number]>([
    ["ordered rows", ORDERED, AGES, names("Ann", "Bob", "Cid", "Dee"), 1],
    ["tied rows in another order", ORDERED, AGES, names("Ann", "Cid", "Bob", "Dee"), 1],
    ["rows out of order", ORDERED, AGES, names("Bob", "Ann", "Cid", "Dee"), 0],
    ["an ordered row too few", ORDERED, AGES, names("Ann", "Bob", "Cid"), 0],
    ["columns too many", ORDERED, AGES, AGES, 0],
    ["the rows before a clean cut", TWO, CLEAN, names("Ann", "Bob"), 1],
    ["those rows out of order", TWO, CLEAN, names("Bob", "Ann"), 0],
    ["a row behind a clean cut", TWO, CLEAN, names("Ann", "Cid"), 0],
    ["one of the tied rows", TWO, TIED, names("Ann", "Bob"), 1],
    ["the other of the tied rows", TWO, TIED, names("Ann", "Cid"), 1],
    ["both tied rows", TWO, TIED, names("Ann", "Bob", "Cid"), 0],
    ["tied rows without the one before", TWO, TIED, names("Bob", "Cid"), 0],
    ["a row that is not tied", TWO, TIED, names("Ann", "Dee"), 0],
    ["fewer rows than LIMIT keeps", TWO, [["Ann", 1n]], names("Ann"), 1],
    ["a row behind OFFSET", SECOND, CLEAN, names("Bob"), 1],
    ["the row that OFFSET skips", SECOND, CLEAN, names("Ann"), 0],
    ["any rows without an order", ANY, names("Ann", "Bob", "Cid"), names("Cid", "Ann"), 1],
    ["a row that is none of them", ANY, names("Ann", "Bob", "Cid"), names("Cid", "Eve"), 0],
    ["a row twice that is there once", ANY, names("Ann", "Bob", "Cid"), names("Cid", "Cid"), 0],
    ["rows in any order", ALL, names("Ann", "Bob", "Ann"), names("Bob", "Ann", "Ann"), 1],
    ["a repeat too few", ALL, names("Ann", "Bob", "Ann"), names("Bob", "Ann"), 0],
    ["another repeat", ALL, names("Ann", "Bob", "Ann"), names("Bob", "Ann", "Bob"), 0],
    ["repeats of unique rows", UNIQUE, names("Ann", "Bob"), names("Bob", "Ann", "Bob"), 1],
    ["a unique row too few", UNIQUE, names("Ann", "Bob"), names("Bob", "Bob"), 0],
    ["an order without keys", UNKNOWN, names("Ann", "Bob"), names("Ann", "Bob"), 1],
    ["another order without keys", UNKNOWN, names("Ann", "Bob"), names("Bob", "Ann"), 0],
    ["no rows on either side", TWO, [], [], 1],
  ])("judges %s", (_name, gold, goldRows, predicted, score) => {
    expect(judgeRows(gold, goldRows, predicted)).toEqual({ status: "scored", score });
  });

  it("leaves an answer unscored that may have rows of a tie that is too wide to look at", () => {
    const wide = Array.from({ length: 10_001 }, (_, index): Cell[] => [BigInt(index), 7n]);
    const gold = "SELECT id FROM t ORDER BY age LIMIT 1";
    expect(judgeRows(gold, wide, [[5n]])).toEqual({ status: "scored", score: 1 });
    expect(judgeRows(gold, wide, [[20_000n]])).toMatchObject({ status: "unscored", reason: "tie_too_wide" });
  });

  it("reads a result too large to hold no further than its first row too many", () => {
    let read = 0;
    const endless = {
      ...unnamed([], "too_large"),
      *stream() {
        for (;;) {
          read += 1;
          yield ["Ann"];
        }
      },
    };
    expect(gradedEx.judge(pairOf(unnamed(names("Ann", "Ann")), endless))).toEqual({
      status: "scored",
      score: 0,
    });
    expect(read).toBe(3);
    const same = unnamed(names("Ann"), "too_large");
    const gold = { gold: UNIQUE };
    expect(gradedEx.judge(pairOf(unnamed(names("Ann")), same, gold))).toEqual({ status: "scored", score: 1 });
  });
});

describe("graded-ex in a worker", () => {
  it("takes either of two tied rows, in the best mode of the accepted golds", async () => {
    const file = path.join(await temporaryFolder(), "race.sqlite");
    const database = new SqliteDatabase(file);
    database.exec(
      "CREATE TABLE t (name TEXT, age INTEGER); INSERT INTO t VALUES ('Ann', 1), ('Bob', 1), ('Cid', 2)",
    );
    database.close();
    const judge = createSqlJudge({ workers: 1, databasePath: () => file });
    const limits = { cpuMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
    const verdictsOf = async (gold: readonly string[], predictions: readonly string[]) => {
      const reply = await judge.judge({
        database: await judge.inspect({
          databaseId: "race",
          path: file,
          described: null,
          valuesPerColumn: 0,
        }),
        gold,
        predictions,
        metrics: ["graded-ex"],
        goldLimits: limits,
        predictionLimits: limits,
      });
      return reply.answers.map(({ verdicts }) => verdicts["graded-ex"]);
    };
    try {
      const youngest = "SELECT name FROM t ORDER BY age LIMIT 1";
      const named = ["Ann", "Bob", "Cid"].map((name) => `SELECT '${name}'`);
      expect(await verdictsOf([youngest], [...named, youngest, "SELECT name FROM"])).toEqual(
        [1, 1, 0, 1, 0].map((score) => ({ status: "scored", score })),
      );
      expect(await verdictsOf(["SELECT name FROM nowhere", youngest, "SELECT 'Cid'"], named)).toEqual(
        [1, 1, 1].map((score) => ({ status: "scored", score })),
      );
      expect(await verdictsOf(["SELECT name FROM nowhere LIMIT 1"], named.slice(0, 1))).toMatchObject([
        { status: "unscored", reason: "gold_error" },
      ]);
    } finally {
      await judge.close();
    }
  });
});
