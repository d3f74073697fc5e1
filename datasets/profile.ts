import path from "node:path";
import pMap, { pMapIterable } from "p-map";
import { z } from "zod";
import { Database, DatabaseSchema } from "../core/database.ts";
import { Example } from "../core/example.ts";
import type { DatasetSource } from "../core/loader.ts";
import { type Rows, type StageSource, defineStage } from "../core/stage.ts";
import { exists } from "../io/files.ts";
import { databaseLocator } from "../io/locate-database.ts";
import { testSuiteNeighbours } from "../io/locate-test-suite.ts";

const Options = z.strictObject({
  loader: z.string().min(1),
  split: z.string().min(1),
  release: z.string().min(1).nullable(),
  /** Example values kept of each column, 0 for none. */
  valuesPerColumn: z.int().nonnegative().default(2),
});

/**
 * Opens every database that an example uses, in the order of first use, and says what it holds: status,
 * digest, schema with the dataset's comments, row counts, example values.
 */
export const profileStage = defineStage({
  name: "profile",
  version: 1,
  inputs: { schemas: DatabaseSchema, examples: Example },
  outputs: { databases: Database },
  options: Options,
  /** `root`: the absolute folder of the dataset; `concurrency`: databases looked at at once. */
  runtime: z.strictObject({ root: z.string().min(1), concurrency: z.int().positive() }),
  plugs: (options) => [{ kind: "loader", id: options.loader }],
  async sources(options, runtime, plugs, inputs) {
    const loader = await plugs.find("loader", options.loader);
    const source = sourceOf(options, runtime.root);
    const databaseIds = await databasesOf(inputs.examples);
    const locate = databaseLocator(loader.databaseFolders(source));
    const found = await pMap(databaseIds, (id) => filesOf(id, locate(id)), { concurrency: 16 });
    return found.flat();
  },
  async *run({ inputs, options, runtime, context }) {
    const loader = await context.plugs.find("loader", options.loader);
    const locate = databaseLocator(loader.databaseFolders(sourceOf(options, runtime.root)));
    const described = new Map<string, DatabaseSchema>();
    for await (const schema of inputs.schemas()) described.set(schema.databaseId, schema);
    const databaseIds = await databasesOf(inputs.examples);
    const inspect = (databaseId: string): Promise<Database> => {
      context.signal.throwIfAborted();
      return context.inspector.inspect({
        databaseId,
        path: locate(databaseId),
        described: described.get(databaseId) ?? null,
        valuesPerColumn: options.valuesPerColumn,
      });
    };
    let done = 0;
    for await (const row of pMapIterable(databaseIds, inspect, { concurrency: runtime.concurrency })) {
      done += 1;
      context.progress(done, databaseIds.size);
      if (row.status !== "ok") context.warn(`database ${row.databaseId} is ${row.status}: ${row.message}`);
      yield { port: "databases", row };
    }
  },
});

/** The databases that examples use, in the order of first use. */
async function databasesOf(examples: Rows<Example>): Promise<ReadonlySet<string>> {
  const databaseIds = new Set<string>();
  for await (const example of examples()) databaseIds.add(example.databaseId);
  return databaseIds;
}

function sourceOf(options: z.infer<typeof Options>, root: string): DatasetSource {
  return { root, split: options.split, release: options.release };
}

/** Endings of the files beside a database that hold a part of its content. */
const JOURNALS = ["-wal", "-journal"];

/** The files of a database's test suite, the main one first, each with the journals beside it. */
async function filesOf(databaseId: string, file: string | null): Promise<StageSource[]> {
  if (file === null) return [];
  const found: StageSource[] = [];
  for (const one of [file, ...testSuiteNeighbours(file)]) {
    const name = one === file ? `${databaseId}.sqlite` : `${databaseId}/${path.basename(one)}`;
    found.push({ name, path: one });
    for (const ending of JOURNALS) {
      if (await exists(one + ending)) found.push({ name: name + ending, path: one + ending });
    }
  }
  return found;
}
