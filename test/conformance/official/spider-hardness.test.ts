import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { SpiderSchema } from "../../../sql/spider-names.ts";
import { parseSpiderQuery } from "../../../sql/spider-parser.ts";
import { spiderHardness } from "../../../sql/spider-hardness.ts";
import { describeWithShared } from "../../shared-folder.ts";

interface TablesEntry {
  readonly db_id: string;
  readonly table_names_original: readonly string[];
  readonly column_names_original: readonly (readonly [tableIndex: number, name: string])[];
}

interface HardnessVector {
  readonly db_id: string;
  readonly gold_sql: string;
  readonly hardness: string | null;
}

interface ExactMatchVector {
  readonly db_id: string;
  readonly gold: string;
  readonly pred: string;
  readonly hardness?: string;
  readonly pred_parsed?: boolean;
  readonly gold_error?: string;
}

interface Interaction {
  readonly dataset: string;
  readonly db_id: string;
  readonly turns: readonly { readonly gold?: string; readonly hardness?: string }[];
}

function readSchemas(folder: string, files: readonly string[]): Map<string, SpiderSchema> {
  const entries = files.flatMap(
    (file) => JSON.parse(readFileSync(path.join(folder, "data", file), "utf8")) as TablesEntry[],
  );
  return new Map(
    entries.map((entry): [string, SpiderSchema] => [
      entry.db_id,
      {
        tables: entry.table_names_original.map((name, index) => ({
          name,
          columns: entry.column_names_original
            .filter(([tableIndex]) => tableIndex === index)
            .map(([, column]) => column),
        })),
      },
    ]),
  );
}

function readLines(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

function readVectors<T>(folder: string, file: string): T[] {
  return readLines(path.join(folder, "vectors", file)).map((line) => JSON.parse(line) as T);
}

/** The hardness of a query, null where it does not parse. */
function hardnessOf(sql: string, schema: SpiderSchema | undefined): string | null {
  if (schema === undefined) throw new Error(`No schema for ${sql}`);
  const parsed = parseSpiderQuery(sql, schema);
  return parsed.ok ? spiderHardness(parsed.query) : null;
}

describeWithShared("Spider's parser and hardness against the official ones", (folder) => {
  const schemas = readSchemas(folder, ["spider/test_tables.json", "spider/tables.json"]);

  it("agrees on the hardness of every gold", () => {
    const vectors = readVectors<HardnessVector>(folder, "spider_hardness.jsonl");
    const disagreements = vectors.filter(
      (vector) => hardnessOf(vector.gold_sql, schemas.get(vector.db_id)) !== vector.hardness,
    );
    expect(disagreements).toEqual([]);
    expect(vectors.length).toBeGreaterThan(3_000);
  });

  it("agrees on which golds and predictions parse", () => {
    const vectors = readVectors<ExactMatchVector>(folder, "spider_em.jsonl");
    const disagreements = vectors.filter((vector) => {
      const schema = schemas.get(vector.db_id);
      const goldHardness = hardnessOf(vector.gold, schema);
      if (vector.gold_error !== undefined) return goldHardness !== null;
      return (
        goldHardness !== vector.hardness || (hardnessOf(vector.pred, schema) !== null) !== vector.pred_parsed
      );
    });
    expect(disagreements).toEqual([]);
    expect(vectors.length).toBeGreaterThan(8_000);
  });

  it("has the published number of dev golds at each level", () => {
    const counts = new Map<string | null, number>();
    for (const line of readLines(path.join(folder, "data/spider/dev_gold.sql"))) {
      const [sql = "", databaseId = ""] = line.split("\t");
      const hardness = hardnessOf(sql, schemas.get(databaseId.trim()));
      counts.set(hardness, (counts.get(hardness) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ easy: 248, medium: 446, hard: 174, extra: 166 });
  });

  it.each(["sparc", "cosql"])("agrees on the hardness of every turn of %s", (dataset) => {
    const turnSchemas = readSchemas(folder, [`${dataset}/tables.json`]);
    const turns = readVectors<Interaction>(folder, "multiturn.jsonl")
      .filter((interaction) => interaction.dataset === dataset)
      .flatMap(({ db_id: databaseId, turns: all }) => all.map((turn) => ({ ...turn, databaseId })));
    const disagreements = turns.filter(
      ({ gold, hardness, databaseId }) =>
        gold !== undefined &&
        hardness !== undefined &&
        hardnessOf(gold, turnSchemas.get(databaseId)) !== hardness,
    );
    expect(disagreements).toEqual([]);
    expect(turns.length).toBeGreaterThan(1_000);
  });
});
