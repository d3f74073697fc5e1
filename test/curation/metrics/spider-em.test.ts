import { describe, expect, it } from "vitest";
import type { ResultTable } from "../../../core/execution.ts";
import spiderEm from "../../../curation/metrics/spider-em.ts";
import { FLIGHT_SCHEMA } from "../../sql/flight-schema.ts";

const failed: ResultTable = {
  execution: {
    status: "error",
    message: "no such table",
    rows: 0,
    columns: 0,
    digest: "",
    orderedDigest: "",
  },
  columnNames: [],
  rows: [],
  stream: () => [],
};

function judge(goldSql: string, predictedSql: string): unknown {
  return spiderEm.judge({ goldSql, predictedSql, gold: failed, predicted: failed, schema: FLIGHT_SCHEMA });
}

describe("spider-em", () => {
  it("judges by the texts alone", () => {
    expect(spiderEm.needs.rows).toBe(false);
    const gold = "SELECT DISTINCT city FROM airport WHERE country = 'Italy'";
    expect(judge(gold, "select CITY from AIRPORT where COUNTRY = 'x'")).toMatchObject({
      status: "scored",
      score: 1,
    });
    expect(judge(gold, "SELECT code FROM airport WHERE country = 'Italy'")).toMatchObject({
      status: "scored",
      score: 0,
    });
  });

  it("takes columns that refer to one key for equal", () => {
    const verdict = judge("SELECT source FROM flight", "SELECT destination FROM flight");
    expect(verdict).toMatchObject({ status: "scored", score: 1 });
  });

  it("reads LIMIT as its script does", () => {
    const verdict = judge(
      "SELECT price FROM flight ORDER BY price LIMIT 1",
      "SELECT price FROM flight ORDER BY price LIMIT value",
    );
    expect(verdict).toMatchObject({ status: "scored", score: 0 });
  });

  it("leaves a gold outside the grammar unscored", () => {
    const gold = "SELECT city FROM airport WHERE code IS NULL";
    expect(judge(gold, gold)).toMatchObject({ status: "unscored", reason: "spider_parse_refused" });
  });
});
