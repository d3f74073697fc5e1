import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../core/database.ts";
import type { JudgedAnswer } from "../../../core/judge.ts";
import { readJsonLines } from "../../../io/jsonl.ts";
import { createSqlJudge } from "../../../pipelines/sql-judge.ts";
import type { SqlJudge } from "../../../pipelines/sql-judge.ts";
import { describeWithShared } from "../../shared-folder.ts";

interface Vector {
  readonly db_id: string;
  readonly gold: string;
  readonly pred: string;
  readonly unstable: boolean;
  readonly [field: string]: unknown;
}

interface Turn {
  readonly gold: string;
  readonly pred: string;
  readonly exec?: number | null;
}

/** The vectors' fields, and the metrics that stand for them. */
const FIELDS: Readonly<Record<string, string>> = {
  ex: "spider-ex",
  ex_keep_distinct: "spider-ex-keep-distinct",
  ex_plug_value: "spider-ex-plug-value",
};

const LINES = 10_004;
const LIMITS = { cpuMs: 30_000, maxRows: 200_000, maxBytes: 100_000_000 };
const FOLDERS = ["data/spider/database", "data/bird/dev/dev_databases", "vectors/dbs"];

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

describeWithShared("test-suite accuracy against the official evaluator", (shared) => {
  let judge: SqlJudge;
  const locate = (id: string): string | null =>
    FOLDERS.map((folder) => path.join(shared, folder, id, `${id}.sqlite`)).find((file) => existsSync(file)) ??
    null;

  beforeAll(() => {
    judge = createSqlJudge({ workers: 2, databasePath: locate });
  });

  afterAll(() => judge.close());

  async function judgeAll<T>(
    items: readonly T[],
    pairOf: (item: T) => { databaseId: string; gold: string; prediction: string },
    metricsOf: (item: T) => readonly string[],
  ): Promise<[T, JudgedAnswer][]> {
    const groups = new Map<string, T[]>();
    for (const item of items) {
      const { databaseId, gold } = pairOf(item);
      const key = JSON.stringify([databaseId, gold, metricsOf(item)]);
      groups.set(key, [...(groups.get(key) ?? []), item]);
    }
    const replies = await Promise.all(
      [...groups.values()].map(async (group): Promise<[T, JudgedAnswer][]> => {
        const first = group[0] as T;
        const reply = await judge.judge({
          database: databaseNamed(pairOf(first).databaseId),
          gold: [pairOf(first).gold],
          predictions: group.map((item) => pairOf(item).prediction),
          metrics: metricsOf(first),
          goldLimits: LIMITS,
          predictionLimits: LIMITS,
        });
        return group.map((item, index) => [item, reply.answers[index] as JudgedAnswer]);
      }),
    );
    return replies.flat();
  }

  it("agrees on every stable line, with a typed reason where the official run aborts", async () => {
    const vectors: Vector[] = [];
    for await (const { value } of readJsonLines(path.join(shared, "vectors/ex_testsuite.jsonl"))) {
      vectors.push(value as Vector);
    }
    expect(vectors.length).toBe(LINES);
    const fieldsOf = (vector: Vector) => Object.keys(FIELDS).filter((field) => field in vector);
    const judged = await judgeAll(
      vectors,
      ({ db_id: databaseId, gold, pred: prediction }) => ({ databaseId, gold, prediction }),
      (vector) => fieldsOf(vector).map((field) => FIELDS[field] as string),
    );

    const counts: Record<string, Record<string, number>> = {};
    const differences: unknown[] = [];
    for (const [vector, answer] of judged) {
      for (const field of fieldsOf(vector)) {
        const count = (counts[field] ??= {});
        const verdict = answer.verdicts[FIELDS[field] as string];
        const score = verdict?.status === "scored" ? verdict.score : null;
        const crash = vector[`${field}_crash`];
        const isAborted =
          verdict?.status === "unscored" &&
          (crash === "IndexError"
            ? verdict.reason === "official_crash"
            : verdict.reason === "gold_error" || verdict.reason === "gold_denied");
        const agrees = crash === undefined ? score === vector[field] : isAborted;
        const denied = answer.execution.status === "denied";
        const kind = vector.unstable
          ? "unstable"
          : denied
            ? "refused"
            : crash === undefined
              ? "scored"
              : "aborted";
        const name = `${kind} ${agrees ? "agreed" : "differs"}`;
        count[name] = (count[name] ?? 0) + 1;
        if (!agrees && !vector.unstable)
          differences.push({ field, vector, verdict, execution: answer.execution });
      }
    }
    console.info(`test-suite accuracy: ${JSON.stringify(counts)}`);
    expect(differences.slice(0, 20)).toEqual([]);
  });

  it("agrees on every turn of the multi-turn vectors", async () => {
    const turns: (Turn & { readonly databaseId: string })[] = [];
    for await (const { value } of readJsonLines(path.join(shared, "vectors/multiturn.jsonl"))) {
      const interaction = value as { readonly db_id: string; readonly turns: readonly Turn[] };
      for (const turn of interaction.turns) {
        if (typeof turn.exec === "number" && locate(interaction.db_id) !== null) {
          turns.push({ ...turn, databaseId: interaction.db_id });
        }
      }
    }
    expect(turns.length).toBeGreaterThan(3000);
    const judged = await judgeAll(
      turns,
      // The official script reads predictions with this replacement, before it judges them.
      ({ databaseId, gold, pred }) => ({ databaseId, gold, prediction: pred.replaceAll("value", "1") }),
      () => ["spider-ex"],
    );
    const differences = judged.filter(([{ exec }, { verdicts }]) => {
      const verdict = verdicts["spider-ex"];
      return verdict?.status !== "scored" || verdict.score !== exec;
    });
    console.info(`test-suite accuracy: ${turns.length} turns, ${differences.length} differences`);
    expect(differences.slice(0, 20)).toEqual([]);
  });
});
