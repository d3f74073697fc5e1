import path from "node:path";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../core/database.ts";
import type { JudgeReply } from "../../../core/judge.ts";
import { readJsonLines } from "../../../io/jsonl.ts";
import { createSqlJudge } from "../../../pipelines/sql-judge.ts";
import type { SqlJudge } from "../../../pipelines/sql-judge.ts";
import { describeWithShared } from "../../shared-folder.ts";

interface Vector {
  readonly db_id: string;
  readonly gold: string;
  readonly pred: string;
  readonly soft_f1: number;
  readonly soft_f1_unstable: boolean;
}

const LINES = 10_004;
const LIMITS = { cpuMs: 30_000, maxRows: 200_000, maxBytes: 100_000_000 };

function databaseNamed(databaseId: string): Database {
  return {
    databaseId,
    status: "ok",
    message: "",
    digest: "",
    bytes: 0,
    schema: { databaseId, tables: [], foreignKeys: [] },
    describedForeignKeys: null,
    rowCounts: [],
    values: [],
  };
}

describeWithShared("bird-soft-f1 against the official BIRD evaluator", (shared) => {
  const folders = ["data/spider/database", "data/bird/dev/dev_databases", "vectors/dbs"];
  let judge: SqlJudge;

  beforeAll(() => {
    judge = createSqlJudge({
      workers: 2,
      databasePath: (id) =>
        folders
          .map((folder) => path.join(shared, folder, id, `${id}.sqlite`))
          .find((file) => existsSync(file)) ?? null,
    });
  });

  afterAll(() => judge.close());

  it("agrees on every stable line, to the last bit", async () => {
    const groups = new Map<string, Vector[]>();
    let lines = 0;
    for await (const { value } of readJsonLines(path.join(shared, "vectors/ex_bird.jsonl"))) {
      const vector = value as Vector;
      const key = `${vector.db_id}\n${vector.gold}`;
      groups.set(key, [...(groups.get(key) ?? []), vector]);
      lines += 1;
    }
    expect(lines).toBe(LINES);

    const replies = await Promise.all(
      [...groups.values()].map(async (vectors): Promise<[Vector[], JudgeReply]> => {
        const { db_id: databaseId, gold } = vectors[0] as Vector;
        const reply = await judge.judge({
          database: databaseNamed(databaseId),
          gold: [gold],
          predictions: vectors.map((vector) => vector.pred),
          metrics: ["bird-soft-f1"],
          goldLimits: LIMITS,
          predictionLimits: LIMITS,
        });
        return [vectors, reply];
      }),
    );

    const counts = { agreed: 0, agreedGoldFailed: 0, unstable: 0, unstableAgreed: 0 };
    const differences: unknown[] = [];
    for (const [vectors, reply] of replies) {
      vectors.forEach((vector, index) => {
        const verdict = reply.answers[index]?.verdicts["bird-soft-f1"];
        // The official evaluator answers a gold that fails with 0; here such an answer has no score.
        const goldFailed = verdict?.status === "unscored" && /^gold_(error|denied)$/.test(verdict.reason);
        const score = goldFailed ? 0 : verdict?.status === "scored" ? verdict.score : undefined;
        const agrees = score === vector.soft_f1;
        if (vector.soft_f1_unstable) {
          counts.unstable += 1;
          if (agrees) counts.unstableAgreed += 1;
        } else if (agrees) {
          counts.agreed += 1;
          if (goldFailed) counts.agreedGoldFailed += 1;
        } else {
          differences.push({ vector, verdict, execution: reply.answers[index]?.execution });
        }
      });
    }
    console.info(
      `bird-soft-f1: ${JSON.stringify(counts)}, ${differences.length} differences of ${lines} lines`,
    );
    expect(differences).toEqual([]);
    expect(counts.agreed + counts.unstable).toBe(LINES);
  });
});
