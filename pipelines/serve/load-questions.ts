import path from "node:path";
import type { DatabaseSchema } from "../../core/database.ts";
import type { Example } from "../../core/example.ts";
import type { LoadedRow } from "../../core/loader.ts";
import type { PlugFinder } from "../../core/plug.ts";
import { correctedExamples } from "../../datasets/corrected-examples.ts";
import { readCorrections } from "../../datasets/read-corrections.ts";
import type { KnownQuestion } from "../../synth/simulated/question-index.ts";
import type { DatasetConfig } from "../config.ts";
import { findDatasets } from "../find-datasets.ts";
import type { PathRoots } from "../paths.ts";

/**
 * The examples of some datasets with the schemas of their databases, as the tables files describe them (no
 * tables where none does), corrected as the config asks; rows that cannot be read are left out.
 * @throws PLUG_UNKNOWN, PATH_DATA_ROOT_MISSING, DATASET_FILE_MISSING, DATASET_FILE_MALFORMED, and
 * what refuses a correction.
 */
export async function loadQuestions(
  datasets: readonly DatasetConfig[],
  plugs: PlugFinder,
  roots: PathRoots,
): Promise<KnownQuestion[]> {
  const found = await findDatasets(datasets, plugs, roots);
  const questions: KnownQuestion[] = [];
  for (const [index, { loader: id, split, release, limit, corrections }] of datasets.entries()) {
    const loader = await plugs.find("loader", id);
    const source = { root: found.roots[index] as string, split, release };
    const schemas = new Map<string, DatabaseSchema>();
    for (const { schema } of await loader.schemas(source)) schemas.set(schema.databaseId, schema);
    const examples = loadedExamples(loader.load(source), limit);
    const names = corrections.map((file) => path.basename(file));
    const book = await readCorrections(names, found.corrections[index] ?? []);
    for await (const { example } of correctedExamples(examples, book)) {
      const { databaseId } = example;
      const schema = schemas.get(databaseId) ?? { databaseId, tables: [], foreignKeys: [] };
      questions.push({ example, schema });
    }
  }
  return questions;
}

async function* loadedExamples(
  rows: AsyncIterable<LoadedRow>,
  limit: number | null,
): AsyncGenerator<Example> {
  let loaded = 0;
  for await (const row of rows) {
    if (row.kind === "reject") continue;
    yield row.example;
    loaded += 1;
    if (loaded === limit) break;
  }
}
