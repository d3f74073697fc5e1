import { z } from "zod";
import type { DatabaseProfiler } from "./database-profiler.ts";
import type { DatabaseInspector } from "./inspector.ts";
import type { Judge } from "./judge.ts";
import type { Ledger } from "./ledger.ts";
import type { ModelSource } from "./model.ts";
import type { PlugFinder, PlugReference } from "./plug.ts";
import type { SqlRunner } from "./sql-runner.ts";

/** Port name to the schema of its rows. */
export type Ports = Readonly<Record<string, z.ZodType>>;

/** A row on its way out. */
export type PortRow<O extends Ports> = {
  [P in keyof O & string]: { readonly port: P; readonly row: z.infer<O[P]> };
}[keyof O & string];

/** The rows of an input port. Each call starts again from the first row. */
export type Rows<T> = () => AsyncIterable<T>;

/** A file whose bytes enter the stage's key. */
export interface StageSource {
  /** Stable name, never an absolute path. */
  readonly name: string;
  readonly path: string;
}

/** What a stage may use besides its rows and options. */
export interface StageContext {
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly plugs: PlugFinder;
  readonly judge: Judge;
  readonly inspector: DatabaseInspector;
  readonly profiler: DatabaseProfiler;
  readonly sql: SqlRunner;
  readonly models: ModelSource;
  /** The run's ledger, opened on first use. */
  ledger(): Promise<Ledger>;
  /** An empty folder for files; its content becomes part of the artifact. */
  readonly folder: string;
  /** Reports progress to the person who watches; `total` when known, `note` for what else matters (tokens, cost). */
  progress(done: number, total?: number, note?: string): void;
  /** Says something to the person who watches: a warning that changes no result. */
  warn(message: string): void;
}

export interface StageRun<I extends Ports, O, R> {
  readonly inputs: { readonly [P in keyof I]: Rows<z.infer<I[P]>> };
  readonly options: O;
  readonly runtime: R;
  readonly context: StageContext;
}

/**
 * Typed rows in, typed rows out, options, a version; nothing else. `options` enter the key, `runtime`
 * (paths, concurrency) does not. Output order is a function of the inputs alone.
 */
export interface Stage<
  I extends Ports = Ports,
  O extends Ports = Ports,
  Opt extends z.ZodType = z.ZodType,
  Run extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  /** Bumped when the same inputs and options can give other rows. */
  readonly version: number;
  readonly inputs: I;
  readonly outputs: O;
  readonly options: Opt;
  readonly runtime: Run;
  /** Row balances that must hold: every row of `input` leaves by exactly one of `outputs`. */
  readonly balances: readonly {
    readonly input: keyof I & string;
    readonly outputs: readonly (keyof O & string)[];
  }[];
  /** The plugs that these options use; their versions enter the key. */
  plugs(
    options: z.infer<Opt>,
    finder: PlugFinder,
  ): readonly PlugReference[] | Promise<readonly PlugReference[]>;
  /** The files that it reads besides its input rows, which may say which; their digests enter the key. */
  sources(
    options: z.infer<Opt>,
    runtime: z.infer<Run>,
    plugs: PlugFinder,
    inputs: StageRun<I, unknown, unknown>["inputs"],
  ): Promise<readonly StageSource[]>;
  run(run: StageRun<I, z.infer<Opt>, z.infer<Run>>): AsyncIterable<PortRow<O>>;
}

/** The parts of a stage that most stages leave out. */
type Optional = "runtime" | "balances" | "plugs" | "sources";

/** Makes a stage; what is left out is empty. */
export function defineStage<
  I extends Ports,
  O extends Ports,
  Opt extends z.ZodType,
  Run extends z.ZodType = z.ZodType<Record<string, never>>,
>(
  stage: Omit<Stage<I, O, Opt, Run>, Optional> & Partial<Pick<Stage<I, O, Opt, Run>, Optional>>,
): Stage<I, O, Opt, Run> {
  return {
    runtime: z.strictObject({}) as unknown as Run,
    balances: [],
    plugs: () => [],
    sources: () => Promise.resolve([]),
    ...stage,
  };
}
