import { describe, expect, it } from "vitest";
import { JudgeQueue, replyOf, strike } from "../../pipelines/sql-judge-queue.ts";
import type { PendingGroup } from "../../pipelines/sql-judge-queue.ts";

const LIMITS = { cpuMs: 100, maxRows: 1, maxBytes: 1 };

function pending(id: number, path: string | null): PendingGroup {
  return {
    id,
    path,
    morePaths: [],
    schema: { databaseId: "x", tables: [], foreignKeys: [] },
    schemaKey: "x",
    gold: ["gold"],
    predictions: ["a", "b"],
    metrics: [],
    goldLimits: LIMITS,
    predictionLimits: { ...LIMITS, cpuMs: 50 },
    known: [],
    strikes: new Map(),
    mishaps: 0,
    settled: false,
    resolve: () => undefined,
    reject: () => undefined,
  };
}

function idsOf({ groups }: { groups: readonly PendingGroup[] }): number[] {
  return groups.map(({ id }) => id);
}

describe("JudgeQueue", () => {
  it("gives requests on one database together, shared out among workers", () => {
    const queue = new JudgeQueue();
    for (const [id, path] of ["a", "b", "a", "a", "b"].entries()) queue.add(pending(id, path));
    expect(idsOf(queue.take(2))).toEqual([0, 2]);
    expect(idsOf(queue.take(1))).toEqual([3]);
    expect(idsOf(queue.take(1))).toEqual([1, 4]);
    expect(idsOf(queue.take(1))).toEqual([]);
  });

  it("bounds what a worker gets at once", () => {
    const queue = new JudgeQueue();
    for (let id = 0; id < 100; id += 1) queue.add(pending(id, null));
    expect(queue.take(1).groups).toHaveLength(64);
  });

  it("gives what was put back first, and alone what must run alone", () => {
    const queue = new JudgeQueue();
    queue.add(pending(1, "a"));
    queue.putBack([pending(2, "a"), pending(3, "a")]);
    queue.putBackAlone(pending(4, "b"));
    const alone = queue.take(1);
    expect(alone.alone).toBe(true);
    expect(idsOf(alone)).toEqual([4]);
    expect(idsOf(queue.take(1))).toEqual([2, 3, 1]);
    queue.add(pending(5, "a"));
    expect(queue.drain().map(({ id }) => id)).toEqual([5]);
    expect(idsOf(queue.take(1))).toEqual([]);
  });
});

describe("strike", () => {
  it("knows the end of a statement that killed its worker twice", () => {
    const group = pending(1, "a");
    strike(group, 2, { cause: "cpu", phase: "statement" });
    expect(group.known).toEqual([]);
    strike(group, 0, { cause: "crash", phase: "statement" });
    strike(group, 2, { cause: "cpu", phase: "statement" });
    strike(group, 0, { cause: "crash", phase: "statement" });
    strike(group, 1, { cause: "cpu", phase: "judging" });
    strike(group, 1, { cause: "cpu", phase: "judging" });
    expect(group.known.map(({ statement, status }) => [statement, status])).toEqual([
      [2, "timeout"],
      [0, "crashed"],
      [1, "crashed"],
    ]);
    expect(group.known[0]?.message).toBe("more than 50 ms of CPU time");
  });
});

describe("replyOf", () => {
  it("gives equal predictions the same answer", () => {
    const execution = {
      status: "ok",
      message: "",
      rows: 0,
      columns: 0,
      digest: "",
      orderedDigest: "",
    } as const;
    const [a, b] = [
      { execution, verdicts: { x: { status: "scored", score: 1 } as const } },
      { execution, verdicts: { x: { status: "scored", score: 0 } as const } },
    ];
    const reply = replyOf(pending(1, "a"), ["b", "a", "b"], { id: 1, gold: [execution], answers: [a, b] });
    expect(reply).toEqual({ gold: [execution], answers: [b, a, b] });
  });
});
