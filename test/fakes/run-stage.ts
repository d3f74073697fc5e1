import type { z } from "zod";
import type { DatabaseProfiler } from "../../core/database-profiler.ts";
import type { DatabaseInspector } from "../../core/inspector.ts";
import type { Judge } from "../../core/judge.ts";
import type { Ledger } from "../../core/ledger.ts";
import type { ModelSource } from "../../core/model.ts";
import type { PlugFinder, PlugKind, PlugKinds } from "../../core/plug.ts";
import type { SqlRunner } from "../../core/sql-runner.ts";
import type { Ports, Rows, Stage, StageContext } from "../../core/stage.ts";

/** An input port over rows in memory. */
export function rowsOf<T>(rows: readonly T[]): Rows<T> {
  return async function* () {
    for (const row of rows) yield await Promise.resolve(row);
  };
}

/** Finds the given plugs only. */
export function fakePlugs(plugs: readonly (PlugKinds[PlugKind] & { readonly id: string })[]): PlugFinder {
  return {
    find: <K extends PlugKind>(_kind: K, id: string) => {
      const plug = plugs.find((candidate) => candidate.id === id);
      if (plug === undefined) throw new Error(`no plug ${id}`);
      return Promise.resolve(plug as PlugKinds[K]);
    },
    list: () => Promise.resolve(plugs.map((plug) => plug.id)),
  };
}

export interface StageSurroundings {
  readonly seed?: number;
  readonly plugs?: PlugFinder;
  readonly judge?: Judge;
  readonly signal?: AbortSignal;
  readonly folder?: string;
  readonly sql?: SqlRunner;
  readonly profiler?: DatabaseProfiler;
  readonly models?: ModelSource;
  readonly ledger?: () => Promise<Ledger>;
  readonly runtime?: unknown;
  /** Gathers what the stage warns of. */
  readonly warnings?: string[];
}

const NO_JUDGE: Judge = { judge: () => Promise.reject(new Error("this stage needs no judge")) };
const NO_INSPECTOR: DatabaseInspector = {
  inspect: () => Promise.reject(new Error("this stage needs no inspector")),
};

/** A profiler for what must not profile. */
export const NO_PROFILER: DatabaseProfiler = {
  profile: () => Promise.reject(new Error("this needs no profile")),
  search: () => Promise.reject(new Error("this searches nothing")),
};

/** Parts of a context for stages that must not use them. */
export const NO_SQL: SqlRunner = { query: () => Promise.reject(new Error("this stage runs no SQL")) };
export const NO_MODELS: ModelSource = { open: () => Promise.reject(new Error("this stage asks no model")) };
export function noLedger(): Promise<Ledger> {
  return Promise.reject(new Error("this stage keeps no ledger"));
}

type StageInputs<I extends Ports> = { readonly [P in keyof I]: readonly z.input<I[P]>[] };
type StageOutputs<O extends Ports> = { readonly [P in keyof O]: z.infer<O[P]>[] };

/** Runs a stage over rows in memory; options, inputs and outputs are held against the stage's schemas. */
export async function runStage<I extends Ports, O extends Ports, Opt extends z.ZodType, R extends z.ZodType>(
  stage: Stage<I, O, Opt, R>,
  inputs: StageInputs<I>,
  options: z.input<Opt>,
  surroundings: StageSurroundings = {},
): Promise<StageOutputs<O>> {
  const fed = Object.fromEntries(
    Object.entries(stage.inputs).map(([port, schema]) => [
      port,
      rowsOf((inputs[port] ?? []).map((row) => schema.parse(row))),
    ]),
  );
  const gathered = Object.fromEntries(Object.keys(stage.outputs).map((port) => [port, [] as unknown[]]));
  const run = stage.run({
    inputs: fed as never,
    options: stage.options.parse(options),
    runtime: stage.runtime.parse(surroundings.runtime ?? {}),
    context: contextOf(surroundings),
  });
  for await (const { port, row } of run) gathered[port]?.push(stage.outputs[port]?.parse(row));
  return gathered as StageOutputs<O>;
}

function contextOf(surroundings: StageSurroundings): StageContext {
  return {
    seed: surroundings.seed ?? 1,
    signal: surroundings.signal ?? new AbortController().signal,
    plugs: surroundings.plugs ?? fakePlugs([]),
    judge: surroundings.judge ?? NO_JUDGE,
    inspector: NO_INSPECTOR,
    profiler: surroundings.profiler ?? NO_PROFILER,
    sql: surroundings.sql ?? NO_SQL,
    models: surroundings.models ?? NO_MODELS,
    ledger: surroundings.ledger ?? noLedger,
    folder: surroundings.folder ?? "",
    progress: () => undefined,
    warn: (message) => surroundings.warnings?.push(message),
  };
}
