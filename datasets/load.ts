import { z } from "zod";
import { DatabaseSchema } from "../core/database.ts";
import { Example } from "../core/example.ts";
import type { DatasetSource } from "../core/loader.ts";
import { Reject } from "../core/reject.ts";
import { defineStage } from "../core/stage.ts";
import { presentFiles, requireFiles } from "./source-files.ts";
import { schemasOf } from "./tables-file.ts";

const Options = z.strictObject({
  loader: z.string().min(1),
  split: z.string().min(1),
  /** `null` lets the loader recognise it. */
  release: z.string().min(1).nullable(),
  /** Examples to load, from the first; `null` for all. */
  limit: z.int().positive().nullable(),
});

const PROGRESS_EVERY = 500;

/**
 * Reads one split of a dataset: its examples in file order, the rows that are none, and the described
 * schemas of the databases that the examples use, in the order of the tables file.
 * @throws DATASET_FILE_MISSING, DATASET_FILE_MALFORMED, DATASET_SPLIT_UNKNOWN, DATASET_RELEASE_MISMATCH.
 */
export const loadStage = defineStage({
  name: "load",
  version: 1,
  inputs: {},
  outputs: { examples: Example, schemas: DatabaseSchema, rejects: Reject },
  options: Options,
  /** `root`: the absolute folder of the dataset. */
  runtime: z.strictObject({ root: z.string().min(1) }),
  plugs: (options) => [{ kind: "loader", id: options.loader }],
  async sources(options, runtime, plugs) {
    const loader = await plugs.find("loader", options.loader);
    const files = await loader.files(sourceOf(options, runtime.root));
    await requireFiles(runtime.root, files);
    return (await presentFiles(files)).map(({ name, path }) => ({ name, path }));
  },
  async *run({ options, runtime, context }) {
    const loader = await context.plugs.find("loader", options.loader);
    const source = sourceOf(options, runtime.root);
    await requireFiles(runtime.root, await loader.files(source));
    const databaseIds = new Set<string>();
    let examples = 0;
    for await (const row of loader.load(source)) {
      context.signal.throwIfAborted();
      if (row.kind === "reject") {
        yield { port: "rejects", row: row.reject };
        continue;
      }
      yield { port: "examples", row: row.example };
      databaseIds.add(row.example.databaseId);
      examples += 1;
      if (examples % PROGRESS_EVERY === 0) context.progress(examples);
      if (examples === options.limit) break;
    }
    context.progress(examples, examples);
    const schemas = schemasOf(await loader.schemas(source), databaseIds);
    warnUndescribed(databaseIds, schemas, (message) => context.warn(message));
    for (const row of schemas) yield { port: "schemas", row };
  },
});

function sourceOf(options: z.infer<typeof Options>, root: string): DatasetSource {
  return { root, split: options.split, release: options.release };
}

function warnUndescribed(
  used: ReadonlySet<string>,
  schemas: readonly DatabaseSchema[],
  warn: (message: string) => void,
): void {
  const described = new Set(schemas.map((schema) => schema.databaseId));
  const missing = [...used].filter((databaseId) => !described.has(databaseId));
  if (missing.length === 0) return;
  const shown = missing.slice(0, 5).join(", ") + (missing.length > 5 ? ", …" : "");
  warn(`${missing.length} of ${used.size} databases are in no tables file: ${shown}`);
}
