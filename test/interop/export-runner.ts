import path from "node:path";
import type { z } from "zod";
import { exportStage, ExportOptions } from "../../curation/export.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import type { PlugFinder } from "../../core/plug.ts";
import type { ShardFile } from "../../core/rows.ts";
import type { Exporter, ExportRow } from "../../core/shard.ts";
import type { Reject } from "../../core/reject.ts";
import type { StageContext } from "../../core/stage.ts";

/** What one run of the export stage gave. */
export interface ExportOutcome {
  readonly files: readonly ShardFile[];
  readonly rejects: readonly Reject[];
  readonly warnings: readonly string[];
}

/** Runs the export stage by itself on rows that can be read more than once, into an empty `folder`, without artifact or key. */
export async function runExport(
  rows: Iterable<ExportRow> | AsyncIterable<ExportRow>,
  options: z.input<typeof ExportOptions>,
  folder: string,
  exporters: readonly Exporter[] | null = null,
): Promise<ExportOutcome> {
  const outcome = { files: [] as ShardFile[], rejects: [] as Reject[], warnings: [] as string[] };
  const context = bareContext(path.resolve(folder), exporters, outcome.warnings);
  const run = exportStage.run({
    inputs: { rows: () => stream(rows) },
    options: ExportOptions.parse(options),
    runtime: {},
    context,
  });
  for await (const { port, row } of run) {
    if (port === "files") outcome.files.push(exportStage.outputs.files.parse(row));
    else outcome.rejects.push(exportStage.outputs.rejects.parse(row));
  }
  return outcome;
}

async function* stream(rows: Iterable<ExportRow> | AsyncIterable<ExportRow>): AsyncGenerator<ExportRow> {
  for await (const row of rows) yield row;
}

function unused(): Promise<never> {
  return Promise.reject(new Error("the export stage opens no database"));
}

function bareContext(
  folder: string,
  exporters: readonly Exporter[] | null,
  warnings: string[],
): StageContext {
  const given = exporters ?? [];
  const plugs = {
    find: (_kind: string, id: string) => {
      const found = given.find((exporter) => exporter.id === id);
      return found === undefined ? Promise.reject(new Error(`no exporter ${id}`)) : Promise.resolve(found);
    },
    list: () => Promise.resolve(given.map((exporter) => exporter.id)),
  };
  return {
    seed: 0,
    signal: new AbortController().signal,
    plugs: exporters === null ? createPlugFinder() : (plugs as unknown as PlugFinder),
    judge: { judge: unused },
    inspector: { inspect: unused },
    profiler: { profile: unused, search: unused },
    sql: { query: unused },
    models: { open: unused },
    ledger: unused,
    folder,
    progress: () => undefined,
    warn: (message) => warnings.push(message),
  };
}
