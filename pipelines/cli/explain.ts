import path from "node:path";
import { explain, renderExplanation } from "../explain.ts";
import { artifactsOfRun, ledgerRows } from "../explained-run.ts";
import { createPlugFinder } from "../plugs.ts";
import { safeJson, styleFor } from "../terminal-text.ts";
import { type CliCommand, type CommonOptions, pathRoots, printText, withCommonOptions } from "./command.ts";

interface Options extends CommonOptions {
  readonly full?: boolean;
}

/** `gradus explain`: a sample turn by turn, or the life of an example. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("explain <run> <id>")
        .description("a sample turn by turn, or the life of an example in a run")
        .option("--full", "shorten nothing, and show replies as they were sampled too"),
    )
      .addHelpText(
        "after",
        "\nThe id is an example's or a sample's, or the first four or more digits of one, or the dataset's own id of\na question. With --json every row that names it, whole.\n\nExample:\n  gradus explain quickstart 17\n  gradus explain quickstart 3f9a",
      )
      .action(explainRow);
  },
};

async function explainRow(name: string, id: string, options: Options): Promise<void> {
  const { runsFolder } = pathRoots(options, process.cwd());
  const artifacts = await artifactsOfRun(runsFolder, name);
  const unfinished = (prefix: string) => ledgerRows(path.join(runsFolder, name), prefix);
  const explanation = await explain({ artifacts, unfinished, plugs: createPlugFinder() }, id);
  if (options.json === true) printText(safeJson(explanation.rows));
  else {
    const view = { full: options.full === true, style: styleFor(process.stdout, process.env) };
    printText(renderExplanation(explanation, view));
  }
}

export default command;
