import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { DatabaseSchema } from "../../../core/database.ts";
import type { Metric } from "../../../core/metric.ts";
import spiderEm from "../../../curation/metrics/spider-em.ts";
import spiderEmTestsuite from "../../../curation/metrics/spider-em-testsuite.ts";
import { readTablesFile } from "../../../datasets/tables-file.ts";
import { EMPTY_SPIDER_QUERY, SPIDER_COMPONENTS, spiderExactMatch } from "../../../sql/spider-exact-match.ts";
import type { SpiderComponent } from "../../../sql/spider-exact-match.ts";
import { parseSpiderQuery } from "../../../sql/spider-parser.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { EMPTY_RESULT } from "./empty-result.ts";

type Scores = readonly [acc: number, rec: number, f1: number, labelTotal: number, predTotal: number];
type GoldError = { readonly gold_error: string };

interface Vector {
  readonly db_id: string;
  readonly gold: string;
  readonly pred: string;
  readonly exact?: number;
  readonly exact_testsuite: number | GoldError;
  readonly gold_error?: string;
  readonly partial?: Readonly<Record<SpiderComponent, Scores>>;
}

const LINES = 8051;

/** The schema of a database, none for one that has no description. */
type SchemaOf = (databaseId: string) => DatabaseSchema;

async function readSchemas(folder: string): Promise<SchemaOf> {
  const files = ["test_tables.json", "tables.json"].map((file) => path.join(folder, "data/spider", file));
  const all = (await Promise.all(files.map(readTablesFile))).flat();
  const byId = new Map(all.map((schema) => [schema.databaseId, schema]));
  return (databaseId) => {
    const schema = byId.get(databaseId);
    if (schema === undefined) throw new Error(`No schema of ${databaseId}`);
    return schema;
  };
}

function readVectors(folder: string): Vector[] {
  return readFileSync(path.join(folder, "vectors/spider_em.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Vector);
}

/** The score, or the reason why there is none. */
function outcomeOf(metric: Metric, vector: Vector, schemaOf: SchemaOf): number | string {
  const verdict = metric.judge({
    goldSql: vector.gold,
    predictedSql: vector.pred,
    gold: EMPTY_RESULT,
    predicted: EMPTY_RESULT,
    schema: schemaOf(vector.db_id),
  });
  return verdict.status === "scored" ? verdict.score : verdict.reason;
}

function partialOf(vector: Vector, schema: DatabaseSchema): Record<string, Scores> | undefined {
  const names = {
    tables: schema.tables.map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name),
    })),
  };
  const gold = parseSpiderQuery(vector.gold, names);
  const predicted = parseSpiderQuery(vector.pred, names);
  if (!gold.ok) return undefined;
  const { partial } = spiderExactMatch(
    gold.query,
    predicted.ok ? predicted.query : EMPTY_SPIDER_QUERY,
    schema,
  );
  return Object.fromEntries(
    SPIDER_COMPONENTS.map((component) => {
      const { acc, rec, f1, labelTotal, predTotal } = partial[component];
      return [component, [acc, rec, f1, labelTotal, predTotal]];
    }),
  );
}

describeWithShared("spider-em against the official exact match", (folder) => {
  const vectors = readVectors(folder);

  it.each([
    ["Spider's script", spiderEm, (vector: Vector) => vector.exact],
    ["the test suites' script", spiderEmTestsuite, (vector: Vector) => vector.exact_testsuite],
  ] as const)("agrees with %s on every pair", async (_script, metric, expectedOf) => {
    const schemaOf = await readSchemas(folder);
    const counts = { right: 0, wrong: 0, refused: 0 };
    const differences: unknown[] = [];
    for (const vector of vectors) {
      const official = expectedOf(vector);
      const expected = typeof official === "number" ? official : "spider_parse_refused";
      const outcome = outcomeOf(metric, vector, schemaOf);
      if (outcome !== expected) differences.push({ outcome, vector });
      else if (outcome === 1) counts.right += 1;
      else if (outcome === 0) counts.wrong += 1;
      else counts.refused += 1;
    }
    console.info(
      `${metric.id}: ${JSON.stringify(counts)}, ${differences.length} differences of ${vectors.length}`,
    );
    expect(differences).toEqual([]);
    expect(vectors).toHaveLength(LINES);
  });

  it("agrees on every component of every pair", async () => {
    const schemaOf = await readSchemas(folder);
    const differences = vectors.filter(
      (vector) =>
        JSON.stringify(partialOf(vector, schemaOf(vector.db_id))) !==
        (vector.partial === undefined ? undefined : JSON.stringify(vector.partial)),
    );
    const components =
      vectors.filter((vector) => vector.partial !== undefined).length * SPIDER_COMPONENTS.length;
    console.info(
      `components: ${components}, ${differences.length} pairs with a difference of ${vectors.length}`,
    );
    expect(differences).toEqual([]);
    expect(components).toBe((LINES - 3) * 10);
  });

  it("matches every dev gold with itself", async () => {
    const schemaOf = await readSchemas(folder);
    const lines = readFileSync(path.join(folder, "data/spider/dev_gold.sql"), "utf8").split("\n");
    const golds = lines.filter((line) => line.trim() !== "");
    const outcomes = golds.map((line) => {
      const [sql = "", databaseId = ""] = line.split("\t");
      return outcomeOf(
        spiderEm,
        { db_id: databaseId.trim(), gold: sql, pred: sql, exact_testsuite: 1 },
        schemaOf,
      );
    });
    expect(outcomes.filter((outcome) => outcome !== 1)).toEqual([]);
    expect(outcomes).toHaveLength(1034);
  });
});
