import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../core/random.ts";
import {
  changeLimit,
  dropCondition,
  dropDistinct,
  dropJoinCondition,
  flipComparison,
  flipOrder,
  wrongAggregate,
} from "../../../synth/simulated/clause-mutations.ts";
import { TokenText } from "../../../synth/simulated/token-text.ts";

type Mutation = (text: TokenText, random: SeededRandom) => string | undefined;

/** Everything that a mutation makes of a query over many draws, sorted. */
function outcomes(mutation: Mutation, sql: string): (string | undefined)[] {
  const found = new Set<string | undefined>();
  for (let draw = 0; draw < 60; draw += 1)
    found.add(mutation(new TokenText(sql), new SeededRandom(draw, "test")));
  return [...found].sort((left, right) => ((left ?? "") < (right ?? "") ? -1 : 1));
}

describe("mutations of clauses", () => {
  it("put another aggregate", () => {
    expect(outcomes(wrongAggregate, "SELECT COUNT(*), MAX(seats) FROM boat")).toEqual([
      "SELECT COUNT(*), AVG(seats) FROM boat",
      "SELECT COUNT(*), COUNT(seats) FROM boat",
      "SELECT COUNT(*), MIN(seats) FROM boat",
      "SELECT COUNT(*), SUM(seats) FROM boat",
    ]);
    expect(outcomes(wrongAggregate, "SELECT count(DISTINCT seats) FROM boat")).toEqual([
      "SELECT avg(DISTINCT seats) FROM boat",
      "SELECT sum(DISTINCT seats) FROM boat",
    ]);
    expect(outcomes(wrongAggregate, "SELECT count(*) FROM boat")).toEqual([undefined]);
  });

  it("leave a condition out, a BETWEEN whole", () => {
    expect(outcomes(dropCondition, "SELECT a FROM t WHERE b BETWEEN 1 AND 2 AND c = 1 ORDER BY a")).toEqual([
      "SELECT a FROM t WHERE b BETWEEN 1 AND 2 ORDER BY a",
    ]);
    expect(outcomes(dropCondition, "SELECT a FROM t WHERE c = 1 OR b BETWEEN 1 AND 2 LIMIT 1")).toEqual([
      "SELECT a FROM t WHERE c = 1 LIMIT 1",
    ]);
    expect(outcomes(dropCondition, "SELECT a FROM t WHERE b = 'x' GROUP BY a")).toEqual([
      "SELECT a FROM t GROUP BY a",
    ]);
    expect(outcomes(dropCondition, "SELECT a FROM t")).toEqual([undefined]);
  });

  it("join without a condition", () => {
    expect(
      outcomes(dropJoinCondition, "SELECT a FROM t JOIN u ON t.x = u.x JOIN v ON u.y = v.y WHERE b = 1"),
    ).toEqual([
      "SELECT a FROM t JOIN u JOIN v ON u.y = v.y WHERE b = 1",
      "SELECT a FROM t JOIN u ON t.x = u.x JOIN v WHERE b = 1",
    ]);
  });

  it("flip comparisons", () => {
    expect(outcomes(flipComparison, "SELECT a FROM t WHERE b >= 2")).toEqual([
      "SELECT a FROM t WHERE b <= 2",
      "SELECT a FROM t WHERE b > 2",
    ]);
    expect(outcomes(flipComparison, "SELECT a FROM t WHERE b = '<'")).toEqual([undefined]);
  });

  it("flip the order", () => {
    expect(outcomes(flipOrder, "SELECT a FROM t ORDER BY a DESC LIMIT 1")).toEqual([
      "SELECT a FROM t ORDER BY a ASC LIMIT 1",
    ]);
    expect(outcomes(flipOrder, "SELECT a FROM t ORDER BY a LIMIT 1")).toEqual([
      "SELECT a FROM t ORDER BY a DESC LIMIT 1",
    ]);
    expect(outcomes(flipOrder, "SELECT a FROM t")).toEqual([undefined]);
  });

  it("take a DISTINCT away", () => {
    expect(outcomes(dropDistinct, "SELECT DISTINCT a FROM t")).toEqual(["SELECT a FROM t"]);
    expect(outcomes(dropDistinct, "SELECT count(DISTINCT a) FROM t")).toEqual(["SELECT count(a) FROM t"]);
    expect(outcomes(dropDistinct, "SELECT a FROM t")).toEqual([undefined]);
  });

  it("change or drop the limit", () => {
    expect(outcomes(changeLimit, "SELECT a FROM t LIMIT 3")).toEqual([
      "SELECT a FROM t",
      "SELECT a FROM t LIMIT 1",
      "SELECT a FROM t LIMIT 10",
      "SELECT a FROM t LIMIT 2",
      "SELECT a FROM t LIMIT 5",
    ]);
    expect(outcomes(changeLimit, "SELECT a FROM t")).toEqual([undefined]);
  });
});
