import path from "node:path";
import type { Command } from "commander";
import { GradusError } from "../../core/errors.ts";
import { interruptSignal } from "../interrupt.ts";
import { renderSummary } from "../render-summary.ts";
import { defaultWorkers } from "../run-services.ts";
import { readRunConfig, runTrainingSet } from "../run-training-set.ts";
import {
  type CliCommand,
  type CommonOptions,
  pathRoots,
  printJson,
  printText,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly dryRun?: boolean;
  readonly until?: string;
  readonly workers?: string;
  readonly name?: string;
  readonly worker?: string;
}

/** `gradus run`: a config to its shards. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("run <config>")
        .description("run a pipeline from a config file to its shards; resumes by itself")
        .option("--dry-run", "say what is done and what would run, and stop")
        .option("--until <step>", "stop after this step")
        .option("--workers <n>", "worker processes that run SQL (default: one a core)")
        .option(
          "--worker <i/n>",
          "sample only part i of n into a ledger of its own; a later run without it merges",
        )
        .option("--name <name>", "name of the run, instead of the config's"),
    )
      .addHelpText(
        "after",
        "\nExample:\n  gradus run configs/quickstart.yaml\n  GRADUS_DATA=~/data gradus run configs/spider-dev-replay.yaml --json",
      )
      .action(run);
  },
};

async function run(configFile: string, options: Options, _command: Command): Promise<void> {
  const config = await readRunConfig(configFile);
  const interrupt = interruptSignal(writeError);
  try {
    const summary = await runTrainingSet(
      options.name === undefined ? config : { ...config, name: options.name },
      {
        roots: pathRoots(options, path.dirname(configFile)),
        until: options.until ?? null,
        dryRun: options.dryRun === true,
        workers:
          options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1),
        reporter: reporterFor(options),
        signal: interrupt.signal,
        part: workerPart(options.worker),
      },
    );
    if (options.json === true) printJson(summary);
    else printText(renderSummary(summary));
  } finally {
    interrupt.release();
  }
}

/** `2/8` as a part. Throws USAGE for anything else. */
function workerPart(value: string | undefined): { index: number; count: number } | null {
  if (value === undefined) return null;
  const [index, count] = (/^(\d+)\/(\d+)$/.exec(value)?.slice(1) ?? []).map(Number);
  if (index !== undefined && count !== undefined && index >= 1 && index <= count) return { index, count };
  throw new GradusError("USAGE", `--worker must be i/n with i from 1 to n, got "${value}"`);
}

export default command;
