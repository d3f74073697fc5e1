import { interruptSignal } from "../interrupt.ts";
import { renderSummary } from "../render-summary.ts";
import { defaultWorkers } from "../run-services.ts";
import { readRecipe } from "../run-status.ts";
import { runTrainingSet } from "../run-training-set.ts";
import {
  type CliCommand,
  type CommonOptions,
  listOption,
  pathRoots,
  printJson,
  printText,
  reporterFor,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly to: string;
}

/** `gradus export`: shards of a run in another form. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("export <run>")
        .description("write the shards of a run for a trainer; nothing is sampled or judged again")
        .requiredOption("--to <exporters>", "ids of exporters, separated by commas"),
    )
      .addHelpText("after", "\nExample:\n  gradus export quickstart --to verl-rl")
      .action(exportRun);
  },
};

async function exportRun(name: string, options: Options): Promise<void> {
  const interrupt = interruptSignal(writeError);
  const roots = pathRoots(options, process.cwd());
  try {
    const recipe = await readRecipe(roots.runsFolder, name);
    const exporters = listOption("--to", options.to);
    const summary = await runTrainingSet(
      { ...recipe, export: { ...recipe.export, exporters } },
      {
        roots,
        until: null,
        dryRun: false,
        workers: defaultWorkers(),
        reporter: reporterFor(options),
        signal: interrupt.signal,
      },
    );
    if (options.json === true) printJson(summary);
    else printText(renderSummary(summary));
  } finally {
    interrupt.release();
  }
}

export default command;
