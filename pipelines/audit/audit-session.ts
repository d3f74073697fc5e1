import path from "node:path";
import type { AuditedExample } from "../../core/audit.ts";
import type { Check } from "../../core/check.ts";
import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import type { StageContext } from "../../core/stage.ts";
import { kindOf } from "../../io/files.ts";
import { lockRun } from "../../io/run-lock.ts";
import type { RunConfig } from "../config.ts";
import { findDatasets } from "../find-datasets.ts";
import { type PathRoots, resolvePath } from "../paths.ts";
import { createPlugFinder } from "../plugs.ts";
import type { Reporter } from "../reporter.ts";
import { openServices, type OpenServices, type SamplingServices } from "../run-services.ts";
import { readRecipe } from "../run-status.ts";
import { readRunConfig } from "../run-training-set.ts";
import { localServers } from "../serve/local-servers.ts";
import { type AuditData, readAuditedDataset, requireExamples } from "./audit-dataset.ts";
import { type AnnotationJudge, auditExamples, type AuditOptions } from "./audit-examples.ts";
import { readAuditedRun } from "./audit-run.ts";
import { openModelJudge, requireJudge } from "./model-judge.ts";

/** What is audited: a finished run, or a dataset on disk with prediction files. */
export interface AuditTarget {
  readonly run: string | null;
  readonly dataset: string | null;
  readonly root: string | null;
  readonly split: string | null;
  readonly release: string | null;
  /** Folders that hold `X/X.sqlite`; empty for those of the dataset. */
  readonly databaseFolders: readonly string[];
  readonly predictions: readonly string[];
}

export interface AuditSessionRequest {
  readonly target: AuditTarget;
  /** Checks by id; `null` for all. */
  readonly checks: readonly string[] | null;
  readonly options: AuditOptions;
  readonly roots: PathRoots;
  readonly workers: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Opinions that the model of the role `judge` gives of each annotation; 0 asks none. */
  readonly judgeVoters: number;
  /** The config whose models are asked; `null` for that of the run. */
  readonly configFile: string | null;
  /** Which examples are audited. */
  readonly only?: (example: Example) => boolean;
  /** What else is to be done with the session's services, once everything is audited. */
  readonly afterwards?: (
    services: OpenServices,
    data: AuditData,
    rows: readonly AuditedExample[],
  ) => Promise<void>;
}

/** Examples audited for each worker at once. */
const PER_WORKER = 8;

/**
 * Audits what a person named, and gives the examples in the order of the dataset.
 * @throws USAGE, PLUG_UNKNOWN, AUDIT_NO_EXAMPLES, INTERRUPTED, and as the loader and the run's artifacts do.
 */
export async function audit(request: AuditSessionRequest): Promise<AuditedExample[]> {
  const { target, reporter, signal, workers } = request;
  const config = await judgeConfig(request);
  const folder = path.join(request.roots.runsFolder, ".audit");
  const lock = config === null ? undefined : await lockRun(folder, `process ${process.pid} (gradus audit)`);
  const services = openServices({
    databaseFolders: await foldersOf(request),
    workers,
    reporter,
    signal,
    ...(config === null ? {} : { sampling: judgeServices(config, folder, request.roots) }),
  });
  let judge: AnnotationJudge | undefined;
  try {
    const checks = await checksOf(request.checks, services);
    reporter.stepStarted("audit", []);
    const data = requireExamples(await dataOf(request, services), target.run ?? target.dataset ?? "");
    if (config !== null) judge = await openModelJudge(config, request.judgeVoters, services);
    const rows: AuditedExample[] = [];
    const audited = auditExamples({
      ...data,
      ...(request.only === undefined ? {} : { only: request.only }),
      ...(judge === undefined ? {} : { annotationJudge: judge }),
      checks,
      options: request.options,
      runner: services.sql,
      judge: services.judge,
      concurrency: workers * PER_WORKER,
      signal,
      progress: (done, total) => reporter.progress("audit", done, total),
    });
    for await (const row of audited) rows.push(row);
    await request.afterwards?.(services, data, rows);
    return rows;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    throw new GradusError("INTERRUPTED", "the audit was interrupted", {
      hint: "run the same command again: what a judge was paid for is kept",
    });
  } finally {
    await judge?.close();
    await services.close();
    lock?.release();
  }
}

/** The config whose judge is asked; `null` where none is. */
async function judgeConfig({
  target,
  judgeVoters,
  configFile,
  roots,
}: AuditSessionRequest): Promise<RunConfig | null> {
  if (judgeVoters === 0) return null;
  if (configFile === null && target.run === null) {
    throw new GradusError(
      "USAGE",
      "--judge-voters needs --config, a config whose models have the role judge",
    );
  }
  const config =
    configFile === null
      ? await readRecipe(roots.runsFolder, target.run ?? "")
      : await readRunConfig(configFile);
  requireJudge(config, configFile ?? target.run ?? "");
  return config;
}

function judgeServices(config: RunConfig, folder: string, roots: PathRoots): SamplingServices {
  const ledgerFile = path.join(folder, "judge-ledger.sqlite");
  return { roles: config.models, servers: localServers(config, roots), ledgerFile };
}

async function checksOf(ids: readonly string[] | null, services: OpenServices): Promise<Check[]> {
  const known = ids ?? (await services.plugs.list("check"));
  return Promise.all([...new Set(known)].sort().map((id) => services.plugs.find("check", id)));
}

async function foldersOf({ target, roots }: AuditSessionRequest): Promise<readonly string[]> {
  for (const folder of target.databaseFolders) {
    if ((await kindOf(folder)) === "folder") continue;
    throw new GradusError("USAGE", `--databases names "${folder}", which is no folder`);
  }
  if (target.databaseFolders.length > 0) return target.databaseFolders.map((folder) => path.resolve(folder));
  if (target.run === null) {
    const loader = await createPlugFinder().find("loader", target.dataset ?? "");
    return loader.databaseFolders(await sourceOf(target, roots));
  }
  const { datasets } = await readRecipe(roots.runsFolder, target.run);
  return (await findDatasets(datasets, createPlugFinder(), roots)).databaseFolders;
}

async function sourceOf(
  target: AuditTarget,
  roots: PathRoots,
): Promise<{ readonly root: string; readonly split: string; readonly release: string | null }> {
  const given = target.root ?? target.dataset ?? "";
  const isHere = target.root !== null && (await kindOf(given)) === "folder";
  const root = isHere ? path.resolve(given) : await resolvePath(given, roots);
  return { root, split: target.split ?? "", release: target.release };
}

async function dataOf(request: AuditSessionRequest, services: OpenServices): Promise<AuditData> {
  const { target, roots, reporter } = request;
  if (target.run !== null) return readAuditedRun(roots.runsFolder, target.run);
  return readAuditedDataset({
    loader: await services.plugs.find("loader", target.dataset ?? ""),
    source: await sourceOf(target, roots),
    databaseFolders: await foldersOf(request),
    predictions: target.predictions,
    inspector: services.inspector,
    context: contextOf(services, reporter),
  });
}

/** The surroundings of a stage that only reads files. */
function contextOf(services: OpenServices, reporter: Reporter): StageContext {
  return {
    ...services,
    seed: 0,
    folder: "",
    progress: () => undefined,
    warn: (message) => reporter.warn("audit", message),
  };
}
