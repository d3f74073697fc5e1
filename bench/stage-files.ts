import path from "node:path";
import type { Rows, Stage } from "../core/stage.ts";
import { readJsonLines, RowWriter } from "../io/jsonl.ts";
import { createPlugFinder } from "../pipelines/plugs.ts";

/** Runs a stage into files below a folder, as a run does; gives the file of each port. */
export async function runToFiles(
  stage: Stage,
  run: { readonly inputs: Record<string, Rows<unknown>>; readonly options: unknown; readonly folder: string },
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const writers = new Map<string, RowWriter>();
  for (const port of Object.keys(stage.outputs)) {
    files[port] = path.join(run.folder, `${stage.name}-${port}.jsonl`);
    writers.set(port, await RowWriter.open(files[port]));
  }
  const context = {
    seed: 1,
    signal: new AbortController().signal,
    plugs: createPlugFinder(),
    progress: () => undefined,
    warn: () => undefined,
  };
  const rows = stage.run({
    inputs: run.inputs as never,
    options: stage.options.parse(run.options),
    runtime: stage.runtime.parse({}),
    context: context as never,
  });
  for await (const { port, row } of rows) await writers.get(port)?.add(row);
  for (const writer of writers.values()) await writer.finish();
  return files;
}

/** The rows of such a file, from its start each time. */
export function fileRows<T>(file: string | undefined, schema: { parse(value: unknown): T }): Rows<T> {
  return async function* () {
    for await (const { value } of readJsonLines(file ?? "")) yield schema.parse(value);
  };
}
