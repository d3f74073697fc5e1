import path from "node:path";
import { GradusError } from "../../core/errors.ts";
import { interruptSignal } from "../interrupt.ts";
import { renderRounds, type RoundRow, roundTable } from "../rounds-table.ts";
import { continueRounds } from "../rounds.ts";
import { defaultWorkers } from "../run-services.ts";
import { readRecipe } from "../run-status.ts";
import { readRunConfig } from "../run-training-set.ts";
import { readTrainedModel, type TrainedModel } from "../trained-model.ts";
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
  readonly all?: boolean;
  readonly table?: boolean;
  readonly config?: string;
  readonly modelUrl?: string;
  readonly modelName?: string;
  readonly revision?: string;
  readonly competence?: string;
  readonly workers?: string;
}

/** `gradus round`: the next self-taught round of a run. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("round <run>")
        .description(
          "the next self-taught round of a run, on the questions that are still open; resumes by itself",
        )
        .option("--all", "go on to the last round that the config asks for")
        .option("--table", "print the coverage of the rounds so far and do nothing")
        .option(
          "--revision <name>",
          "the checkpoint that you trained on the last round's shards; starts no trainer",
        )
        .option("--model-url <address>", "where it is served, if not where the last one was")
        .option("--model-name <name>", "the name its server knows it by, if another")
        .option("--competence <share>", "of a simulated model: how often it is right now")
        .option("--config <file>", "take the config from this file, and relative data roots from its folder")
        .option("--workers <n>", "worker processes that run SQL (default: one a core)"),
    )
      .addHelpText(
        "after",
        "\nExample:\n  gradus run configs/mtsql-r1.yaml && gradus round mtsql-r1 --all\n  gradus round cosql --revision step-900 --model-url http://127.0.0.1:8000/v1",
      )
      .action(round);
  },
};

async function round(name: string, options: Options): Promise<void> {
  const folder = options.config === undefined ? process.cwd() : path.dirname(options.config);
  const roots = pathRoots(options, folder);
  const recipe = await readRecipe(roots.runsFolder, name);
  if (options.table === true) {
    show(options, { name, rounds: await roundTable(path.join(roots.runsFolder, name)) });
    return;
  }
  const config = options.config === undefined ? recipe : { ...(await readRunConfig(options.config)), name };
  const interrupt = interruptSignal(writeError);
  try {
    const summary = await continueRounds({
      config: { ...config, name },
      options: {
        roots,
        until: null,
        dryRun: false,
        workers:
          options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1),
        reporter: reporterFor(options),
        signal: interrupt.signal,
      },
      model: givenModel(options),
      all: options.all === true,
    });
    const shards = summary.runs.flatMap((run) => run.shards.map((shard) => path.join(run.folder, shard)));
    const { rounds, ended } = summary;
    show(options, { name, rounds, shards, ended });
  } finally {
    interrupt.release();
  }
}

/** The checkpoint that options name; `null` without one. @throws USAGE. */
function givenModel({ revision, modelUrl, modelName, competence }: Options): TrainedModel | null {
  if (revision === undefined) {
    if (modelUrl === undefined && modelName === undefined && competence === undefined) return null;
    throw new GradusError(
      "USAGE",
      "a model that you trained needs --revision, which tells its samples from the last one's",
    );
  }
  const model = {
    revision,
    ...(modelName === undefined ? {} : { name: modelName }),
    ...(modelUrl === undefined ? {} : { baseUrl: modelUrl }),
    ...(competence === undefined ? {} : { competence: Number(competence) }),
  };
  return readTrainedModel(JSON.stringify(model), "the command line");
}

function show(
  options: Options,
  result: {
    readonly name: string;
    readonly rounds: readonly RoundRow[];
    readonly shards?: readonly string[];
    readonly ended?: string | null;
  },
): void {
  if (options.json === true) {
    printJson(result);
    return;
  }
  const lines = [renderRounds(result.rounds)];
  for (const shard of result.shards ?? []) lines.push(`shards: ${shard}`);
  if (result.ended != null) lines.push(`no further round: ${result.ended}`);
  printText(lines.join("\n"));
}

export default command;
