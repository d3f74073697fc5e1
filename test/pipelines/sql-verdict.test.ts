import { describe, expect, it } from "vitest";
import { GradusError } from "../../core/errors.ts";
import type { ExecutionStatus, ResultTable } from "../../core/execution.ts";
import { defineMetric } from "../../core/metric.ts";
import type { JudgedPair } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import type { Verdict } from "../../core/verdict.ts";
import { verdictOf } from "../../pipelines/sql-verdict.ts";

function table(status: ExecutionStatus): ResultTable {
  const message = status === "ok" ? "" : `because ${status}`;
  return {
    execution: { status, message, rows: 0, columns: 0, digest: "", orderedDigest: "" },
    columnNames: [],
    rows: [],
    stream: () => [],
  };
}

function metric(rows: boolean, judge: (pair: JudgedPair) => Verdict) {
  return defineMetric({ id: "test", version: 1, needs: { rows }, deviations: [], judge });
}

const half = metric(true, () => scored(0.5));

function verdict(
  golds: ExecutionStatus[],
  predicted: ExecutionStatus,
  plug = half,
  unreadable: { reason: string; message: string } | null = null,
): Verdict {
  return verdictOf(plug, {
    gold: golds.map((status, index) => ({ sql: `gold ${index}`, table: table(status) })),
    predicted: { sql: "prediction", table: table(predicted) },
    schema: { databaseId: "x", tables: [], foreignKeys: [] },
    unreadable,
  });
}

describe("verdictOf", () => {
  it.each<[ExecutionStatus, ExecutionStatus, Verdict]>([
    ["ok", "ok", scored(0.5)],
    ["empty", "empty", scored(0.5)],
    ["ok", "too_large", scored(0.5)],
    ["ok", "error", scored(0)],
    ["ok", "denied", scored(0)],
    ["ok", "timeout", scored(0)],
    ["ok", "crashed", unscored("prediction_crashed", "because crashed")],
    ["error", "ok", unscored("gold_error", "because error")],
    ["error", "error", unscored("gold_error", "because error")],
    ["denied", "ok", unscored("gold_denied", "because denied")],
    ["timeout", "crashed", unscored("gold_timeout", "because timeout")],
    ["too_large", "ok", unscored("gold_too_large", "because too_large")],
    ["crashed", "ok", unscored("gold_crashed", "because crashed")],
  ])("gold %s, prediction %s", (gold, predicted, expected) => {
    expect(verdict([gold], predicted)).toEqual(expected);
  });

  it("takes the best over the golds that ran", () => {
    const byGold = metric(true, ({ goldSql }) => scored({ "gold 1": 0.25, "gold 2": 0.75 }[goldSql] ?? 1));
    expect(verdict(["error", "ok", "ok"], "ok", byGold)).toEqual(scored(0.75));
    const second = metric(true, ({ goldSql }) => (goldSql === "gold 0" ? unscored("no", "") : scored(0)));
    expect(verdict(["ok", "ok"], "ok", second)).toEqual(scored(0));
    expect(verdict(["timeout", "error"], "ok")).toEqual(unscored("gold_timeout", "because timeout"));
  });

  it("asks a metric without rows whatever the statements did", () => {
    const text = metric(false, ({ goldSql }) => scored(goldSql === "gold 1" ? 1 : 0));
    const missing = { reason: "database_missing", message: "none" };
    expect(verdict(["error", "error"], "crashed", text, missing)).toEqual(scored(1));
    expect(verdict(["error"], "error", half, missing)).toEqual(unscored("database_missing", "none"));
  });

  it("lets only metrics that need timings take times, of each gold that ran", () => {
    const gold = ["gold 0", "gold 1"].map((sql) => ({ sql, table: table("ok") }));
    const schema = { databaseId: "x", tables: [], foreignKeys: [] };
    const predicted = { sql: "prediction", table: table("ok") };
    const time = ({ sql }: { readonly sql: string }) => ({
      gold: [sql === "gold 1" ? 3 : 2],
      predicted: [1],
    });
    const question = { gold, predicted, schema, unreadable: null, time };
    const judge = ({ time: take }: JudgedPair): Verdict => scored(take?.().gold[0] ?? 0);
    const timed = { ...metric(true, judge), needs: { rows: true, timings: true } };
    expect(verdictOf(timed, question)).toEqual(scored(3));
    expect(verdictOf(metric(true, judge), question)).toEqual(scored(0));
  });

  it("turns what a metric throws into a verdict", () => {
    const broken = metric(true, () => {
      throw new Error("oops");
    });
    const failing = metric(true, () => {
      throw new GradusError("SQL_STATEMENT_FAILED", "it failed while it was streamed");
    });
    expect(verdict(["ok"], "ok", broken)).toEqual(unscored("metric_failed", "oops"));
    expect(verdict(["ok"], "too_large", failing)).toEqual(scored(0));
    expect(verdict([], "ok")).toEqual(unscored("gold_missing", "there is no gold to judge by"));
  });
});
