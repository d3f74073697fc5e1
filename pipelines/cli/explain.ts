import path from "node:path";
import { explain, renderExplanation } from "../explain.ts";
import { readRecipe, statusOf } from "../run-status.ts";
import {
  type CliCommand,
  type CommonOptions,
  pathRoots,
  printJson,
  printText,
  withCommonOptions,
} from "./command.ts";

/** `gradus explain`: the life of one example or sample. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program.command("explain <run> <id>").description("the life of one example or sample in a run"),
    )
      .addHelpText("after", "\nExample:\n  gradus explain quickstart 17")
      .action(explainRow);
  },
};

async function explainRow(name: string, id: string, options: CommonOptions): Promise<void> {
  const { runsFolder } = pathRoots(options, process.cwd());
  const { result } = await statusOf(path.join(runsFolder, name), await readRecipe(runsFolder, name));
  const rows = await explain(result, id);
  if (options.json === true) printJson(rows);
  else printText(renderExplanation(rows, id));
}

export default command;
