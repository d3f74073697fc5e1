import path from "node:path";
import pMap from "p-map";
import type { Database, DatabaseSchema } from "../../core/database.ts";
import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import type { DatabaseInspector } from "../../core/inspector.ts";
import type { DatasetLoader, DatasetSource } from "../../core/loader.ts";
import type { StageContext } from "../../core/stage.ts";
import { presentFiles } from "../../datasets/source-files.ts";
import { databaseLocator } from "../../io/locate-database.ts";
import { ImportPredictionsOptions, importPredictionsStage } from "../../synth/import-predictions.ts";

/** Examples with what they are audited by. */
export interface AuditData {
  readonly examples: readonly Example[];
  readonly databases: ReadonlyMap<string, Database>;
  /** See `AuditRequest`. */
  readonly answers: ReadonlyMap<string, readonly (string | null)[]>;
}

/** A dataset on disk, with prediction files whose systems vote. */
export interface AuditedDataset {
  readonly loader: DatasetLoader;
  readonly source: DatasetSource;
  readonly databaseFolders: readonly string[];
  readonly predictions: readonly string[];
  readonly inspector: DatabaseInspector;
  /** What reading predictions needs of a stage's surroundings. */
  readonly context: StageContext;
}

/**
 * Reads the examples of a split, inspects their databases, and joins prediction files to them. A tables file that is
 * not there is done without: the databases themselves say what they hold.
 * @throws as the loader does, and as importing predictions does.
 */
export async function readAuditedDataset(dataset: AuditedDataset): Promise<AuditData> {
  const { loader, source, context } = dataset;
  const examples: Example[] = [];
  let rejects = 0;
  for await (const row of loader.load(source)) {
    context.signal.throwIfAborted();
    if (row.kind === "example") examples.push(row.example);
    else rejects += 1;
  }
  if (rejects > 0)
    context.warn(`${rejects} rows of the dataset are no examples: gradus doctor ${loader.id} names them`);
  const databases = await inspectDatabases(dataset, [...new Set(examples.map((one) => one.databaseId))]);
  return { examples, databases, answers: await answersOf(dataset, examples, databases) };
}

async function inspectDatabases(
  dataset: AuditedDataset,
  databaseIds: readonly string[],
): Promise<Map<string, Database>> {
  const locate = databaseLocator(dataset.databaseFolders);
  const described = await describedSchemas(dataset);
  const found = await pMap(
    databaseIds,
    async (databaseId) => {
      const database = await dataset.inspector.inspect({
        databaseId,
        path: locate(databaseId),
        described: described.get(databaseId) ?? null,
        valuesPerColumn: 0,
      });
      return [databaseId, database] as const;
    },
    { concurrency: 4 },
  );
  return new Map(found);
}

async function describedSchemas({
  loader,
  source,
  context,
}: AuditedDataset): Promise<ReadonlyMap<string, DatabaseSchema>> {
  const files = await loader.files(source);
  const present = await presentFiles(files);
  if (!present.some(({ role }) => role === "tables")) {
    context.warn("there is no tables file: keys are taken from the databases alone");
    return new Map();
  }
  const schemas = await loader.schemas(source);
  return new Map(schemas.map(({ schema }) => [schema.databaseId, schema]));
}

async function answersOf(
  { predictions, context }: AuditedDataset,
  examples: readonly Example[],
  databases: ReadonlyMap<string, Database>,
): Promise<Map<string, (string | null)[]>> {
  const answers = new Map<string, (string | null)[]>();
  if (predictions.length === 0) return answers;
  const options = ImportPredictionsOptions.parse({
    imports: predictions.map((file) => {
      const name = path.basename(file);
      return { name, model: { name: file }, partial: true };
    }),
  });
  const run = importPredictionsStage.run({
    inputs: { examples: () => streamOf(examples), databases: () => streamOf([...databases.values()]) },
    options,
    runtime: { files: predictions.map((file) => path.resolve(file)) },
    context,
  });
  for await (const { port, row } of run) {
    if (port !== "trajectories") continue;
    const known = answers.get(row.exampleId);
    if (known === undefined) answers.set(row.exampleId, [row.finalSql]);
    else known.push(row.finalSql);
  }
  return answers;
}

async function* streamOf<T>(rows: readonly T[]): AsyncGenerator<T> {
  for (const row of rows) yield await Promise.resolve(row);
}

/**
 * The folder that the databases of a dataset are looked for in: those of `--databases`, else the loader's.
 * @throws AUDIT_NO_EXAMPLES when a dataset has none.
 */
export function requireExamples(data: AuditData, name: string): AuditData {
  if (data.examples.length > 0) return data;
  throw new GradusError("AUDIT_NO_EXAMPLES", `cannot audit ${name}: it has no examples`, {
    hint: "check the split and the run's steps: gradus doctor and gradus status say what is there",
  });
}
