import { GradusError } from "../../core/errors.ts";
import type { RunConfig } from "../config.ts";
import { ExportConfig } from "../export-config.ts";
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
  readonly options?: string;
}

/** `gradus export`: shards of a run in another form. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("export <run>")
        .description("write the shards of a run for a trainer; nothing is sampled or judged again")
        .requiredOption("--to <exporters>", "ids of exporters, separated by commas")
        .option("--options <json>", 'options of exporters by id, over those of the run: {"verl-rl": {…}}'),
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
      {
        ...recipe,
        export: { ...recipe.export, exporters, options: exporterOptions(recipe, options.options) },
      },
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

/** The options of the run's exporters with those that were given in their place. @throws CLI_OPTION_INVALID. */
function exporterOptions(recipe: RunConfig, given: string | undefined): RunConfig["export"]["options"] {
  if (given === undefined) return recipe.export.options;
  const parsed = ExportConfig.unwrap().shape.options.safeParse(parseJson(given));
  if (parsed.success) return { ...recipe.export.options, ...parsed.data };
  throw new GradusError(
    "CLI_OPTION_INVALID",
    `cannot read --options ${given}, expected options by exporter as JSON`,
    {
      hint: `write it as --options '{"messages-sft": {"for": "skyrl"}}'`,
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export default command;
