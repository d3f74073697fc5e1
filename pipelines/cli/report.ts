import { writeReport } from "../report/write-report.ts";
import { showNumber } from "../report/shown-number.ts";
import { safeJson } from "../terminal-text.ts";
import { type CliCommand, type CommonOptions, pathRoots, printText, withCommonOptions } from "./command.ts";

interface Options extends CommonOptions {
  readonly out?: string;
}

/** `gradus report`: one page with plots, and Markdown, of a run. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("report <run>")
        .description("one page with plots of a run, the same as Markdown, and its numbers as JSON")
        .option("--out <dir>", "folder for the files (default: report/ in the run's folder)"),
    )
      .addHelpText(
        "after",
        "\nWrites report.html, report.md and report.json. The page needs no network and runs no script.\nWith --json the numbers also go to standard output.\n\nExample:\n  gradus report quickstart",
      )
      .action(report);
  },
};

async function report(name: string, options: Options): Promise<void> {
  const { runsFolder } = pathRoots(options, process.cwd());
  const { document, files } = await writeReport(runsFolder, name, options.out ?? null);
  if (options.json === true) printText(safeJson(document));
  else {
    const width = Math.max(...files.map(({ path }) => path.length));
    printText(
      files
        .map(({ path, bytes }) => `${path.padEnd(width)}  ${showNumber(bytes / 1024, "decimal")} KiB`)
        .join("\n"),
    );
  }
}

export default command;
