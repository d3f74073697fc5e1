import { databaseLocator } from "../io/locate-database.ts";
import { cores } from "../io/machine.ts";
import { createPlugFinder } from "./plugs.ts";
import type { Reporter } from "./reporter.ts";
import type { RunServices } from "./runner.ts";
import { createSqlJudge } from "./sql-judge.ts";

/** Services that hold processes; `close` ends them. */
export interface OpenServices extends RunServices {
  close(): Promise<void>;
}

export interface ServiceRequest {
  /** Folders that hold `X/X.sqlite`, the first that has it wins. */
  readonly databaseFolders: readonly string[];
  readonly workers: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** Plugs, and a pool of worker processes that judge and inspect. */
export function openServices(request: ServiceRequest): OpenServices {
  const judge = createSqlJudge({
    workers: request.workers,
    databasePath: databaseLocator(request.databaseFolders),
    signal: request.signal,
  });
  for (const line of judge.report()) request.reporter.warn("sql", line);
  return {
    plugs: createPlugFinder(),
    judge,
    inspector: judge,
    reporter: request.reporter,
    signal: request.signal,
    close: () => judge.close(),
  };
}

/** Worker processes when a person does not say: one a core. */
export function defaultWorkers(): number {
  return cores();
}
