import { expect, it } from "vitest";
import type { Judge } from "../../../core/judge.ts";
import { scored, unscored } from "../../../core/verdict.ts";
import { countVotes } from "../../../pipelines/audit/count-votes.ts";
import { harbourSubject, runOnHarbour } from "../../curation/check-subject.ts";

const { database } = harbourSubject({ question: "", gold: "SELECT 1" });
const LIMITS = { cpuMs: 1000, maxRows: 100, maxBytes: 1000 };

/** Runs statements on the harbour; two results are one when their first cells are. */
const JUDGE: Judge = {
  judge: ({ gold, predictions, metrics }) => {
    const [accepted] = gold.map((sql) => runOnHarbour(sql));
    const answers = predictions.map((sql) => {
      const { execution, rows } = runOnHarbour(sql);
      const isSame = rows[0]?.[0] === accepted?.rows[0]?.[0];
      const failed = accepted?.execution.status === "error";
      const verdict = failed
        ? unscored("gold_error", "")
        : scored(isSame && execution.status !== "error" ? 1 : 0);
      return { execution, verdicts: Object.fromEntries(metrics.map((id) => [id, verdict])) };
    });
    return Promise.resolve({ gold: gold.map((sql) => runOnHarbour(sql).execution), answers });
  },
};

function count(gold: string, answers: readonly (string | null)[]) {
  return countVotes({ database, gold, answers, judge: JUDGE, metric: "bird-ex", limits: LIMITS });
}

it("counts those that are right by the gold, and the others by result", async () => {
  const answers = [
    "SELECT 4",
    "SELECT count(*) FROM boat",
    "SELECT 5",
    "SELECT 5",
    "SELECT 6",
    "SELECT x",
    null,
    " ",
  ];
  expect(await count("SELECT count(*) FROM boat", answers)).toEqual({
    voters: 6,
    ran: 5,
    agree: 2,
    others: [
      { votes: 2, sql: "SELECT 5" },
      { votes: 1, sql: "SELECT 6" },
    ],
  });
});

it("puts results together that the metric finds equal", async () => {
  const answers = ["SELECT 5", "SELECT 5, 1", "SELECT 5, 2", "SELECT 6", "SELECT 6"];
  const { others } = await count("SELECT 4", answers);
  expect(others.map(({ votes }) => votes)).toEqual([3, 2]);
});

it("a gold that does not run has no votes", async () => {
  const { agree, others } = await count("SELECT x", ["SELECT 5", "SELECT 5"]);
  expect([agree, others.map(({ votes }) => votes)]).toEqual([0, [2]]);
});

it("says nothing without answers", async () => {
  expect(await count("SELECT 4", [null, ""])).toEqual({ voters: 0, ran: 0, agree: 0, others: [] });
});
