import path from "node:path";
import type { Database } from "../core/database.ts";
import type { Vector } from "../core/embedder.ts";
import { sha256 } from "../core/key.ts";
import { SeededRandom } from "../core/random.ts";
import { densePoints } from "../embeddings/dense-points.ts";
import tfIdf from "../embeddings/embedders/tf-idf.ts";
import { clusterFew } from "../embeddings/small-clusters.ts";
import { databaseLocator } from "../io/locate-database.ts";
import { createSqlJudge } from "../pipelines/sql-judge.ts";
import { sharedFolder } from "../test/shared-folder.ts";
import type { Measured } from "./measured.ts";
import { tenSystemGroups } from "./ten-systems.ts";

const HASH_DIMENSIONS = 1_024;
const DRAWS = 2_000;
const LIMITS = { cpuMs: 5_000, maxRows: 100_000, maxBytes: 64 * 1024 * 1024 };

/** The queries of a question that ran, with the class of their result. */
interface ResultClasses {
  readonly texts: readonly string[];
  readonly classes: readonly number[];
}

/**
 * How well clusters of the ten systems' queries for one question of Spider dev agree with the classes of equal
 * results: the adjusted Rand index of TF-IDF, of feature hashing, and their difference with a bootstrap interval
 * over questions. k is the number of classes for both; questions with one class or all different tell nothing.
 */
export async function benchClusters(short: boolean): Promise<readonly Measured[]> {
  const shared = sharedFolder();
  if (shared === undefined) return [{ name: "clusters", value: "skipped: needs the shared data folder" }];
  const groups = await resultClasses(shared, short ? 200 : Number.POSITIVE_INFINITY);
  const embedder = await tfIdf.open(tfIdf.options.parse({}), {
    cacheFile: null,
    client: {},
    signal: new AbortController().signal,
  });
  const own: number[] = [];
  const hashed: number[] = [];
  for (const [index, { texts, classes }] of groups.entries()) {
    const k = new Set(classes).size;
    own.push(agreement(await embedder.embed(texts), classes, { k, seed: index }));
    hashed.push(agreement(texts.map(hashing), classes, { k, seed: index }));
  }
  const differences = own.map((value, index) => value - (hashed[index] ?? 0));
  const [low, high] = bootstrap(differences);
  return [
    { name: "questions with two classes or more", value: String(groups.length) },
    { name: "adjusted Rand index of tf-idf", value: mean(own).toFixed(3) },
    { name: "adjusted Rand index of hashing", value: mean(hashed).toFixed(3) },
    {
      name: "tf-idf above hashing",
      value: `${mean(differences).toFixed(3)} (95% ${low.toFixed(3)} to ${high.toFixed(3)})`,
    },
  ];
}

async function resultClasses(shared: string, limit: number): Promise<ResultClasses[]> {
  const folder = path.join(shared, "data/spider/database");
  const locate = databaseLocator([folder]);
  const judge = createSqlJudge({ workers: 2, databasePath: locate });
  const databases = new Map<string, Database>();
  const found: ResultClasses[] = [];
  try {
    for (const { databaseId, predictions } of await tenSystemGroups(shared)) {
      if (found.length >= limit) break;
      const file = locate(databaseId);
      const database =
        databases.get(databaseId) ??
        (await judge.inspect({ databaseId, path: file, described: null, valuesPerColumn: 0 }));
      databases.set(databaseId, database);
      const reply = await judge.judge({
        database,
        gold: ["SELECT 1"],
        predictions,
        metrics: [],
        goldLimits: LIMITS,
        predictionLimits: LIMITS,
      });
      const ran = reply.answers.flatMap(({ execution }, index) =>
        execution.status === "ok" || execution.status === "empty"
          ? [{ text: predictions[index] ?? "", digest: execution.digest }]
          : [],
      );
      const names = [...new Set(ran.map(({ digest }) => digest))];
      if (names.length < 2 || names.length === ran.length) continue;
      found.push({
        texts: ran.map(({ text }) => text),
        classes: ran.map(({ digest }) => names.indexOf(digest)),
      });
    }
  } finally {
    await judge.close();
  }
  return found;
}

function agreement(
  vectors: readonly Vector[],
  classes: readonly number[],
  { k, seed }: { readonly k: number; readonly seed: number },
): number {
  return adjustedRand(
    clusterFew(densePoints(vectors), k, seed).map(({ cluster }) => cluster),
    classes,
  );
}

/** Words, pairs and triples of words, hashed to {@link HASH_DIMENSIONS} with signs, of length 1. */
function hashing(text: string): Vector {
  const words = text.toLowerCase().match(/[a-z0-9_]+|[^\sa-z0-9_]/g) ?? [];
  const values = Array.from({ length: HASH_DIMENSIONS }, () => 0);
  for (let size = 1; size <= 3; size += 1) {
    for (let start = 0; start + size <= words.length; start += 1) {
      const digest = Number.parseInt(sha256(words.slice(start, start + size).join(" ")).slice(0, 8), 16);
      const place = digest % HASH_DIMENSIONS;
      values[place] = (values[place] ?? 0) + (digest >= 0x8000_0000 ? 1 : -1);
    }
  }
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) || 1;
  return { dimensions: HASH_DIMENSIONS, indices: null, values: values.map((value) => value / length) };
}

/** @returns 1 for equal partitions, about 0 for chance. */
export function adjustedRand(left: readonly number[], right: readonly number[]): number {
  const count = (names: readonly string[]): number[] => {
    const found = new Map<string, number>();
    for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
    return [...found.values()];
  };
  const pairs = (sizes: readonly number[]): number =>
    sizes.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  const both = pairs(count(left.map((cluster, index) => `${cluster} ${right[index]}`)));
  const lefts = pairs(count(left.map(String)));
  const rights = pairs(count(right.map(String)));
  const all = (left.length * (left.length - 1)) / 2;
  const expected = (lefts * rights) / all;
  const most = (lefts + rights) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function bootstrap(values: readonly number[]): readonly [number, number] {
  const random = new SeededRandom(1, "bootstrap");
  const means = Array.from({ length: DRAWS }, () =>
    mean(values.map(() => values[random.integer(values.length)] ?? 0)),
  ).sort((left, right) => left - right);
  return [means[Math.floor(DRAWS * 0.025)] ?? 0, means[Math.ceil(DRAWS * 0.975) - 1] ?? 0];
}
