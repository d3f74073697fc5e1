import { describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import type { Execution } from "../../core/execution.ts";
import type { Judge, JudgeRequest } from "../../core/judge.ts";
import { JudgeMemo } from "../../pipelines/judge-memo.ts";

const LIMITS = { cpuMs: 1_000, maxRows: 10, maxBytes: 1_000 };

function database(digest: string): Database {
  const schema = { databaseId: "ferries", tables: [], foreignKeys: [] };
  return {
    databaseId: "ferries",
    status: "ok",
    message: "",
    digest,
    bytes: 1,
    schema,
    describedForeignKeys: null,
    rowCounts: [],
    values: [],
  };
}

function request(predictions: readonly string[], digest = "d1", gold = "SELECT 1"): JudgeRequest {
  return {
    database: database(digest),
    gold: [gold],
    predictions,
    metrics: ["bird-ex"],
    goldLimits: LIMITS,
    predictionLimits: LIMITS,
  };
}

/** Scores by the length of the answer, and keeps what it was asked. */
class CountingJudge implements Judge {
  readonly asked: (readonly string[])[] = [];
  status: Execution["status"] = "ok";

  judge({ gold, predictions }: JudgeRequest) {
    this.asked.push(predictions);
    const execution: Execution = {
      status: this.status,
      message: "",
      rows: 1,
      columns: 1,
      digest: "",
      orderedDigest: "",
    };
    const ok: Execution = { ...execution, status: "ok" };
    const answers = predictions.map((sql) => ({
      execution,
      verdicts: { "bird-ex": { status: "scored" as const, score: sql.length } },
    }));
    return Promise.resolve({ gold: gold.map(() => ok), answers });
  }
}

function scores(reply: { answers: readonly { verdicts: Record<string, unknown> }[] }): unknown[] {
  return reply.answers.map(({ verdicts }) => verdicts["bird-ex"]);
}

describe("JudgeMemo", () => {
  it("asks for each answer once and keeps the order of the request", async () => {
    const inner = new CountingJudge();
    const memo = new JudgeMemo(inner);
    await memo.judge(request(["a", "bb"]));
    const reply = await memo.judge(request(["ccc", "bb", "ccc", "a"]));
    expect(inner.asked).toEqual([["a", "bb"], ["ccc"]]);
    expect(scores(reply)).toEqual([3, 2, 3, 1].map((score) => ({ status: "scored", score })));
    await memo.judge(request(["a"]));
    expect(inner.asked).toHaveLength(2);
  });

  it("keeps databases and golds apart", async () => {
    const inner = new CountingJudge();
    const memo = new JudgeMemo(inner);
    await memo.judge(request(["a"]));
    await memo.judge(request(["a"], "d2"));
    await memo.judge(request(["a"], "d1", "SELECT 2"));
    expect(inner.asked).toEqual([["a"], ["a"], ["a"]]);
  });

  it("asks again for what is timed", async () => {
    const inner = new CountingJudge();
    const memo = new JudgeMemo(inner);
    await memo.judge(request(["a"]));
    await memo.judge({ ...request(["a"]), timingRounds: 2 });
    await memo.judge({ ...request(["a"]), timingRounds: 2 });
    await memo.judge(request(["a"]));
    expect(inner.asked).toEqual([["a"], ["a"], ["a"]]);
  });

  it("keeps test suites apart whose main file is the same", async () => {
    const inner = new CountingJudge();
    const memo = new JudgeMemo(inner);
    const suite = (suiteDigest: string): JudgeRequest => ({
      ...request(["a"]),
      database: { ...database("d1"), suiteDigest },
    });
    await memo.judge(suite("s1"));
    await memo.judge(suite("s2"));
    await memo.judge(request(["a"]));
    await memo.judge(suite("s1"));
    expect(inner.asked).toEqual([["a"], ["a"], ["a"]]);
  });

  it("forgets what was asked for longest ago when it holds much", async () => {
    const inner = new CountingJudge();
    const memo = new JudgeMemo(inner);
    const long = (letter: string): readonly string[] => [letter.repeat(9_000_000)];
    await memo.judge(request(long("a")));
    await memo.judge(request(long("b")));
    await memo.judge(request(long("b")));
    expect(inner.asked).toHaveLength(2);
    await memo.judge(request(long("c")));
    await memo.judge(request(long("c")));
    await memo.judge(request(long("a")));
    expect(inner.asked).toHaveLength(4);
  });

  it("forgets nothing about a crash because it never learned it", async () => {
    const inner = new CountingJudge();
    const memo = new JudgeMemo(inner);
    inner.status = "crashed";
    await memo.judge(request(["a"]));
    inner.status = "ok";
    const reply = await memo.judge(request(["a"]));
    expect(inner.asked).toEqual([["a"], ["a"]]);
    expect(reply.answers[0]?.execution.status).toBe("ok");
  });
});
