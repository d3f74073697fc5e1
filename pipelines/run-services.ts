import type { Ledger } from "../core/ledger.ts";
import { openLedger } from "../io/ledger.ts";
import { databaseLocator } from "../io/locate-database.ts";
import { testSuiteLocator } from "../io/locate-test-suite.ts";
import { cores } from "../io/machine.ts";
import { makeScratchFolder } from "../io/scratch-folder.ts";
import { remove } from "../io/files.ts";
import type { ModelRole } from "./config.ts";
import { JudgeMemo } from "./judge-memo.ts";
import { createDatabaseProfiler } from "./database-profiler.ts";
import { createModelSource, type LocalServers, type OpenModelSource } from "./model-source.ts";
import { createPlugFinder } from "./plugs.ts";
import type { Reporter } from "./reporter.ts";
import type { RunServices } from "./runner.ts";
import { createSqlJudge } from "./sql-judge.ts";

/** Services that hold processes, connections and files; `close` ends them. */
export interface OpenServices extends RunServices {
  readonly models: OpenModelSource;
  close(): Promise<void>;
}

export interface ServiceRequest {
  /** Folders that hold `X/X.sqlite`, the first that has it wins. */
  readonly databaseFolders: readonly string[];
  readonly workers: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Where profiles of databases are kept; among the temporary files, until `close`, when left out. */
  readonly profileFolder?: string;
  /** What sampling needs; left out where nothing is sampled. */
  readonly sampling?: SamplingServices;
}

/** Models by role, the servers that come with gradus, and where the ledger lies. */
export interface SamplingServices {
  readonly roles: Readonly<Record<string, ModelRole>>;
  readonly servers: LocalServers;
  readonly ledgerFile: string;
}

/** Plugs, models, the ledger, and a pool of worker processes that run SQL, judge and inspect. */
export function openServices(request: ServiceRequest): OpenServices {
  const sql = createSqlJudge({
    workers: request.workers,
    databasePath: databaseLocator(request.databaseFolders),
    databasePaths: testSuiteLocator(request.databaseFolders),
    signal: request.signal,
  });
  for (const line of sql.report()) request.reporter.warn("sql", line);
  const models = createModelSource(request.sampling?.roles ?? {}, request.sampling?.servers ?? NO_SERVERS);
  let ledger: Promise<Ledger> | undefined;
  let scratchFolder: string | undefined;
  return {
    plugs: createPlugFinder(),
    judge: new JudgeMemo(sql),
    inspector: sql,
    profiler: createDatabaseProfiler(sql, () => {
      if (request.profileFolder !== undefined) return request.profileFolder;
      scratchFolder ??= makeScratchFolder("profiles");
      return scratchFolder;
    }),
    sql,
    models,
    ledger: () => {
      ledger ??= openLedger(request.sampling?.ledgerFile ?? ":memory:");
      return ledger;
    },
    reporter: request.reporter,
    signal: request.signal,
    close: async () => {
      await models.close();
      await sql.close();
      await ledger?.then((open) => open.close());
      if (scratchFolder !== undefined) await remove(scratchFolder);
    },
  };
}

const NO_SERVERS: LocalServers = {
  simulated: () => Promise.reject(new Error("nothing is sampled here")),
  replay: () => Promise.reject(new Error("nothing is sampled here")),
};

/** Worker processes when a person does not say: one a core. */
export function defaultWorkers(): number {
  return cores();
}
