import { describe, expect, it } from "vitest";
import type { ExecutionStatus, ResultTable } from "../../core/execution.ts";
import { defineMetric } from "../../core/metric.ts";
import type { Metric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import type { Verdict } from "../../core/verdict.ts";
import { rewrittenVerdict } from "../../pipelines/sql-rewritten.ts";
import type { RewrittenQuestion } from "../../pipelines/sql-rewritten.ts";

function table(status: ExecutionStatus): ResultTable {
  const message = status === "ok" ? "" : `because ${status}`;
  return {
    execution: { status, message, rows: 0, columns: 0, digest: "", orderedDigest: "" },
    columnNames: [],
    rows: [],
    stream: () => [],
  };
}

function metric(more: Partial<Metric>): Metric {
  return defineMetric({
    id: "test",
    version: 1,
    needs: { rows: true, everyFile: true },
    deviations: [],
    judge: () => scored(1),
    ...more,
  });
}

/** Asks about "gold" and "prediction"; says which statements ran, each with its file. */
function ask(
  plug: Metric,
  more: Partial<RewrittenQuestion> & { readonly statuses?: Readonly<Record<string, ExecutionStatus>> } = {},
): { verdict: Verdict; ran: string[] } {
  const ran: string[] = [];
  const { statuses = {}, ...question } = more;
  const verdict = rewrittenVerdict(plug, {
    golds: ["gold"],
    prediction: "prediction",
    schema: { databaseId: "x", tables: [], foreignKeys: [] },
    unreadable: () => null,
    files: 1,
    run: (sql, role, file) => {
      ran.push(`${role} ${sql} ${file}`);
      return table(statuses[`${sql} ${file}`] ?? "ok");
    },
    ...question,
  });
  return { verdict, ran };
}

/** A metric whose score of a form is its number, `form 0.5`, and that has these forms. */
function forms(scores: readonly number[], omitted: ReturnType<typeof unscored> | null = null): Metric {
  return metric({
    rewrite: (goldSql) => ({
      goldSql: `${goldSql} rewritten`,
      predictedSql: scores.map((score) => `form ${score}`),
      omitted,
    }),
    judge: ({ predictedSql }) => {
      const score = Number(predictedSql.split(" ")[1]);
      return score < 0 ? unscored("no", "") : scored(score);
    },
  });
}

describe("rewrittenVerdict", () => {
  it("runs the published statements on every file for a metric that rewrites nothing", () => {
    const { verdict, ran } = ask(metric({}), { files: 2 });
    expect(verdict).toEqual(scored(1));
    expect(ran).toEqual(["gold gold 0", "prediction prediction 0", "gold gold 1", "prediction prediction 1"]);
  });

  it("takes the lowest score over the files and stops at the first 0", () => {
    const files = [0.75, 0.5, 0, 1];
    let file = 0;
    const plug = metric({ judge: () => scored(files[file++] ?? 0) });
    expect(ask(plug, { files: 2 }).verdict).toEqual(scored(0.5));
    file = 0;
    const { verdict, ran } = ask(plug, { files: 4 });
    expect(verdict).toEqual(scored(0));
    expect(ran).toHaveLength(6);
  });

  it("tries forms until one scores 1", () => {
    const { verdict, ran } = ask(forms([0, 0.5, 1, 0.25]));
    expect(verdict).toEqual(scored(1));
    expect(ran.filter((run) => run.startsWith("prediction"))).toEqual([
      "prediction form 0 0",
      "prediction form 0.5 0",
      "prediction form 1 0",
    ]);
    expect(ran[0]).toBe("gold gold rewritten 0");
    expect(ask(forms([0.25, 0.5, 0])).verdict).toEqual(scored(0.5));
    expect(ask(forms([])).verdict).toEqual(scored(0));
  });

  it("is unscored where a form in doubt or an omitted one could be right", () => {
    expect(ask(forms([0, -1, 0])).verdict).toEqual(unscored("no", ""));
    expect(ask(forms([-1, 1])).verdict).toEqual(scored(1));
    expect(ask(forms([0], unscored("budget", "many"))).verdict).toEqual(unscored("budget", "many"));
    expect(ask(forms([1], unscored("budget", "many"))).verdict).toEqual(scored(1));
  });

  it.each<[ExecutionStatus, Verdict]>([
    ["error", scored(0)],
    ["denied", scored(0)],
    ["timeout", scored(0)],
    ["too_large", scored(1)],
    ["crashed", unscored("prediction_crashed", "because crashed")],
  ])("judges a prediction that ends with %s by the usual rules", (status, expected) => {
    expect(ask(metric({}), { statuses: { "prediction 0": status } }).verdict).toEqual(expected);
  });

  it("runs no form where the gold failed, on the file where it did", () => {
    const first = ask(forms([0, 1]), { statuses: { "gold rewritten 0": "error" } });
    expect(first.verdict).toEqual(unscored("gold_error", "because error"));
    expect(first.ran).toEqual(["gold gold rewritten 0"]);
    const second = ask(metric({}), { files: 2, statuses: { "gold 1": "timeout" } });
    expect(second.verdict).toEqual(unscored("gold_timeout", "because timeout"));
    expect(second.ran).toHaveLength(3);
  });

  it("takes the best over the accepted golds", () => {
    const plug = metric({ judge: ({ goldSql }) => scored(goldSql === "second" ? 0.5 : 0) });
    const golds = ["first", "second", "third"];
    expect(ask(plug, { golds }).verdict).toEqual(scored(0.5));
    expect(ask(plug, { golds, statuses: { "first 0": "error" } }).verdict).toEqual(scored(0.5));
    expect(ask(plug, { golds: [] }).verdict).toMatchObject({ reason: "gold_missing" });
  });

  it("passes on why there is nothing to run, a file that cannot be read, and a metric that fails", () => {
    const none = metric({ rewrite: () => unscored("blank", "it is") });
    expect(ask(none)).toEqual({ verdict: unscored("blank", "it is"), ran: [] });
    const unreadable = { reason: "database_unreadable", message: "broken" };
    const { verdict } = ask(metric({}), { files: 2, unreadable: (file) => (file === 1 ? unreadable : null) });
    expect(verdict).toEqual(unscored("database_unreadable", "broken"));
    const failing = metric({
      rewrite: () => {
        throw new Error("oops");
      },
    });
    expect(ask(failing).verdict).toEqual(unscored("metric_failed", "oops"));
  });
});
