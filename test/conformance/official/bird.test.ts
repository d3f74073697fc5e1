import path from "node:path";
import { existsSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
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
  readonly ex: number;
  readonly unstable: boolean;
  readonly soft_f1: number;
  readonly soft_f1_unstable: boolean;
}

/** What the official evaluator said of a line by each metric, and whether it says so every time. */
const OFFICIAL = [
  { metric: "bird-ex", scoreOf: ({ ex }: Vector) => ex, isUnstable: ({ unstable }: Vector) => unstable },
  {
    metric: "bird-soft-f1",
    scoreOf: ({ soft_f1 }: Vector) => soft_f1,
    isUnstable: ({ soft_f1_unstable }: Vector) => soft_f1_unstable,
  },
] as const;

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

async function judgeAll(file: string, judge: SqlJudge): Promise<readonly [Vector[], JudgeReply][]> {
  const groups = new Map<string, Vector[]>();
  for await (const { value } of readJsonLines(file)) {
    const vector = value as Vector;
    const key = `${vector.db_id}\n${vector.gold}`;
    groups.set(key, [...(groups.get(key) ?? []), vector]);
  }
  return Promise.all(
    [...groups.values()].map(async (vectors): Promise<[Vector[], JudgeReply]> => {
      const { db_id: databaseId, gold } = vectors[0] as Vector;
      const reply = await judge.judge({
        database: databaseNamed(databaseId),
        gold: [gold],
        predictions: vectors.map((vector) => vector.pred),
        metrics: OFFICIAL.map(({ metric }) => metric),
        goldLimits: LIMITS,
        predictionLimits: LIMITS,
      });
      return [vectors, reply];
    }),
  );
}

describeWithShared("against the official BIRD evaluator", (shared) => {
  const folders = ["data/spider/database", "data/bird/dev/dev_databases", "vectors/dbs"];
  let judged: readonly [Vector[], JudgeReply][];

  beforeAll(async () => {
    const judge = createSqlJudge({
      workers: 2,
      databasePath: (id) =>
        folders
          .map((folder) => path.join(shared, folder, id, `${id}.sqlite`))
          .find((file) => existsSync(file)) ?? null,
    });
    try {
      judged = await judgeAll(path.join(shared, "vectors/ex_bird.jsonl"), judge);
    } finally {
      await judge.close();
    }
  });

  it.each(OFFICIAL)("$metric agrees on every stable line, to the last bit", (official) => {
    const counts = { agreed: 0, agreedGoldFailed: 0, unstable: 0, unstableAgreed: 0 };
    const differences: unknown[] = [];
    for (const [vectors, reply] of judged) {
      vectors.forEach((vector, index) => {
        const verdict = reply.answers[index]?.verdicts[official.metric];
        // The official evaluator answers a gold that fails with 0; here such an answer has no score.
        const goldFailed = verdict?.status === "unscored" && /^gold_(error|denied)$/.test(verdict.reason);
        const score = goldFailed ? 0 : verdict?.status === "scored" ? verdict.score : undefined;
        const agrees = score === official.scoreOf(vector);
        if (official.isUnstable(vector)) {
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
      `${official.metric}: ${JSON.stringify(counts)}, ${differences.length} differences of ${LINES} lines`,
    );
    expect(differences).toEqual([]);
    expect(counts.agreed + counts.unstable).toBe(LINES);
  });
});
