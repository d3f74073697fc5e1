import path from "node:path";
import { GradusError } from "../../../core/errors.ts";
import {
  type CliCommand,
  type CommonOptions,
  pathRoots,
  printJson,
  printText,
  wholeNumber,
} from "../../cli/command.ts";
import { readRecipe, statusOf } from "../../run-status.ts";
import { trainingSetPipeline } from "../../training-set.ts";
import { effectOfCorrections } from "../correction-effect.ts";
import { renderCorrectionEffect } from "../render-correction-effect.ts";

interface Options extends CommonOptions {
  readonly show: string;
}

/** `gradus audit effect`: what the corrections of a finished run did. */
const command: CliCommand = {
  register: (audit) => {
    audit
      .command("effect <run>")
      .description("say what the corrections of a finished run moved and did to accuracy; runs nothing")
      .option("--show <n>", "moved questions to list", "20")
      .option("--runs <dir>", "folder of the runs (default: ./runs)")
      .option("--json", "one JSON document on standard output, nothing else")
      .addHelpText(
        "after",
        "\nThe run is compared with what the same config made under the same name before it had corrections.\n\nExample:\n  gradus run recipe.yaml\n  (add corrections: [./fixes.jsonl] to a dataset of recipe.yaml)\n  gradus run recipe.yaml\n  gradus audit effect my-run",
      )
      .action(effect);
  },
};

async function effect(name: string, options: Options): Promise<void> {
  const show = wholeNumber("--show", options.show, 0);
  const { runsFolder } = pathRoots(options, process.cwd());
  const config = await readRecipe(runsFolder, name);
  if (config.datasets.every(({ corrections }) => corrections.length === 0)) {
    throw new GradusError("RUN_UNCORRECTED", `the run "${name}" was last started without corrections`, {
      hint: "list files of corrections under datasets in its config and run it again",
    });
  }
  const { result, store } = await statusOf(path.join(runsFolder, name), config);
  const pipeline = trainingSetPipeline({
    config,
    roots: [],
    evaluationRoots: [],
    files: [],
    licenses: [],
    concurrency: 1,
    exporters: new Map(),
  });
  const found = await effectOfCorrections(
    { pipeline, artifacts: result.artifacts, store },
    config.filter.metric,
  );
  if (options.json === true) printJson({ run: name, ...found });
  else printText(renderCorrectionEffect(found, show));
}

export default command;
