import type { DatabaseSchema } from "../../core/database.ts";
import type { PlugFinder } from "../../core/plug.ts";
import type { KnownQuestion } from "../../synth/simulated/question-index.ts";
import type { DatasetConfig } from "../config.ts";
import { findDatasets } from "../find-datasets.ts";
import type { PathRoots } from "../paths.ts";

/**
 * The examples of some datasets with the schemas of their databases, as the tables files describe them (no
 * tables where none does); rows that cannot be read are left out.
 * @throws PLUG_UNKNOWN, PATH_DATA_ROOT_MISSING, DATASET_FILE_MISSING, DATASET_FILE_MALFORMED.
 */
export async function loadQuestions(
  datasets: readonly DatasetConfig[],
  plugs: PlugFinder,
  roots: PathRoots,
): Promise<KnownQuestion[]> {
  const found = await findDatasets(datasets, plugs, roots);
  const questions: KnownQuestion[] = [];
  for (const [index, { loader: id, split, release, limit }] of datasets.entries()) {
    const loader = await plugs.find("loader", id);
    const source = { root: found.roots[index] as string, split, release };
    const schemas = new Map<string, DatabaseSchema>();
    for (const { schema } of await loader.schemas(source)) schemas.set(schema.databaseId, schema);
    let loaded = 0;
    for await (const row of loader.load(source)) {
      if (row.kind === "reject") continue;
      const { databaseId } = row.example;
      const schema = schemas.get(databaseId) ?? { databaseId, tables: [], foreignKeys: [] };
      questions.push({ example: row.example, schema });
      loaded += 1;
      if (loaded === limit) break;
    }
  }
  return questions;
}
