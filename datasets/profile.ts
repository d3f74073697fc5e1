import pMap, { pMapIterable } from "p-map";
import { z } from "zod";
import { Database, DatabaseSchema } from "../core/database.ts";
import { Example } from "../core/example.ts";
import type { DatasetSource } from "../core/loader.ts";
import { type StageSource, defineStage } from "../core/stage.ts";
import { exists } from "../io/files.ts";
import { databaseLocator } from "../io/locate-database.ts";

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
  async sources(options, runtime, plugs) {
    const loader = await plugs.find("loader", options.loader);
    const source = sourceOf(options, runtime.root);
    const databaseIds = new Set<string>();
    for await (const row of loader.load(source)) {
      if (row.kind === "example") databaseIds.add(row.example.databaseId);
    }
    const locate = databaseLocator(loader.databaseFolders(source));
    const found = await pMap(databaseIds, (id) => filesOf(id, locate(id)), { concurrency: 16 });
    return found.flat();
  },
  async *run({ inputs, options, runtime, context }) {
    const loader = await context.plugs.find("loader", options.loader);
    const locate = databaseLocator(loader.databaseFolders(sourceOf(options, runtime.root)));
    const described = new Map<string, DatabaseSchema>();
    for await (const schema of inputs.schemas()) described.set(schema.databaseId, schema);
    const databaseIds = new Set<string>();
    for await (const example of inputs.examples()) databaseIds.add(example.databaseId);
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

function sourceOf(options: z.infer<typeof Options>, root: string): DatasetSource {
  return { root, split: options.split, release: options.release };
}

/** Endings of the files beside a database that hold a part of its content. */
const JOURNALS = ["-wal", "-journal"];

/** A database's file, and the journals beside it. */
async function filesOf(databaseId: string, file: string | null): Promise<StageSource[]> {
  if (file === null) return [];
  const found = [{ name: `${databaseId}.sqlite`, path: file }];
  for (const ending of JOURNALS) {
    if (await exists(file + ending))
      found.push({ name: `${databaseId}.sqlite${ending}`, path: file + ending });
  }
  return found;
}
