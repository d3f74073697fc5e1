import { describe, expect, it } from "vitest";
import clauseF1 from "../../../curation/metrics/clause-f1.ts";
import { FERRY_SCHEMA } from "../../sql/ferry-schema.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

function score(gold: string, predicted: string): number {
  const failed = unnamed([], "error");
  const pair = { ...pairOf(failed, failed, { gold, predicted }), schema: FERRY_SCHEMA };
  const verdict = clauseF1.judge(pair);
  return verdict.status === "scored" ? verdict.score : Number.NaN;
}

describe("clause-f1", () => {
  it.each([
    ["SELECT fare FROM crossing", "SELECT c.fare FROM crossing AS c", 1],
    [
      "SELECT built, fare FROM ferry JOIN crossing ON id = ferry_id",
      "SELECT f.built, c.fare FROM ferry f JOIN crossing c ON c.ferry_id = f.id",
      1,
    ],
    // SELECT 1, WHERE 0, JOIN 1, ORDER 0
    ["SELECT name FROM ferry WHERE built > 1990", "SELECT name FROM ferry ORDER BY built", 0.5],
    ['SELECT name FROM ferry WHERE name = "Aurora"', "SELECT name FROM ferry WHERE name = 'Aurora'", 1],
    ["SELECT name FROM ferry", "I do not know", 0],
    ["", "", 1],
  ])("%s | %s", (gold, predicted, expected) => {
    expect(score(gold, predicted)).toBeCloseTo(expected, 14);
  });
});
