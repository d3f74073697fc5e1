import type { Command } from "commander";
import { GradusError } from "../../core/errors.ts";
import { type CommonOptions, listOption, wholeNumber } from "../cli/command.ts";
import { defaultWorkers } from "../run-services.ts";
import { AuditOptions } from "./audit-examples.ts";
import type { AuditTarget } from "./audit-session.ts";

/** Options of the commands that audit. */
export interface AuditArguments extends CommonOptions {
  readonly dataset?: string;
  readonly root?: string;
  readonly split?: string;
  readonly release?: string;
  readonly databases?: string;
  readonly predictions?: string[];
  readonly checks?: string;
  readonly threshold: string;
  readonly metric: string;
  readonly cpuMs: string;
  readonly workers?: string;
  readonly judgeVoters: string;
  readonly config?: string;
}

/** Declares them. */
export function withAuditArguments(command: Command): Command {
  return command
    .option("--dataset <loader>", "audit a dataset: id of its loader")
    .option("--root <dir>", "its folder in the official layout (default: its name below the data root)")
    .option("--split <name>", "its split")
    .option("--release <name>", "release to insist on")
    .option(
      "--databases <dirs>",
      "folders that hold X/X.sqlite, separated by commas (default: the dataset's)",
    )
    .option("--predictions <files...>", "prediction files whose answers vote on each gold")
    .option("--checks <ids>", "only these checks, separated by commas (default: all)")
    .option("--threshold <score>", "score from which an annotation is flagged", "0.5")
    .option("--metric <id>", "metric by which two results are one", "bird-ex")
    .option("--cpu-ms <ms>", "CPU time of one statement", "10000")
    .option("--workers <n>", "worker processes (default: one a core)")
    .option("--judge-voters <n>", "opinions that the model of the role judge gives of each annotation", "0")
    .option("--config <file>", "config whose models have the role judge (default: the run's)");
}

/**
 * What a person wants audited.
 * @throws USAGE for neither a run nor a dataset with its split, or for both.
 */
export function auditTarget(run: string | undefined, given: AuditArguments): AuditTarget {
  if ((run === undefined) === (given.dataset === undefined)) {
    throw new GradusError("USAGE", "name either a run or --dataset with --split, and not both", {
      hint: "gradus audit list my-run, or gradus audit list --dataset bird --root DIR --split dev",
    });
  }
  if (given.dataset !== undefined && given.split === undefined) {
    throw new GradusError("USAGE", `--split is missing, expected a split of ${given.dataset}`);
  }
  if (run !== undefined && given.predictions !== undefined) {
    throw new GradusError("USAGE", "--predictions goes with --dataset: the samples of a run are its voters");
  }
  return {
    run: run ?? null,
    dataset: given.dataset ?? null,
    root: given.root ?? null,
    split: given.split ?? null,
    release: given.release ?? null,
    databaseFolders: given.databases === undefined ? [] : listOption("--databases", given.databases),
    predictions: given.predictions ?? [],
  };
}

/** @throws USAGE for a threshold that is no share. */
export function auditOptions(given: AuditArguments): AuditOptions {
  const threshold = Number(given.threshold);
  if (!(threshold >= 0 && threshold <= 1) || given.threshold.trim() === "") {
    throw new GradusError("USAGE", `--threshold must be a number from 0 to 1, got "${given.threshold}"`);
  }
  const cpuMs = wholeNumber("--cpu-ms", given.cpuMs, 1);
  return AuditOptions.parse({ threshold, metric: given.metric, cpuMs });
}

/** Worker processes that a person wants. */
export function auditWorkers({ workers }: AuditArguments): number {
  return workers === undefined ? defaultWorkers() : wholeNumber("--workers", workers, 1);
}

/** Ids of the checks that a person names; `null` for all. */
export function auditChecks({ checks }: AuditArguments): readonly string[] | null {
  return checks === undefined ? null : listOption("--checks", checks);
}

/** Opinions of a model that a person wants, and of which config's. */
export function auditJudge({ judgeVoters, config }: AuditArguments): {
  readonly judgeVoters: number;
  readonly configFile: string | null;
} {
  return { judgeVoters: wholeNumber("--judge-voters", judgeVoters, 0), configFile: config ?? null };
}
