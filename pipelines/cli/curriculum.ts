import { diffCurricula } from "../curriculum-diff.ts";
import { placesOf, ratedPlacesOf } from "../curriculum-places.ts";
import { curriculumTables } from "../curriculum-tables.ts";
import { recipeDifferences } from "../recipe-differences.ts";
import { renderCurriculumDiff } from "../render-curriculum-diff.ts";
import { renderCurriculumTables } from "../render-curriculum-tables.ts";
import {
  type CliCommand,
  type CommonOptions,
  pathRoots,
  printJson,
  printText,
  withCommonOptions,
} from "./command.ts";

interface DiffOptions extends CommonOptions {
  readonly before: string;
  readonly after: string;
}

/** `gradus curriculum`: what moved between two rounds. */
const command: CliCommand = {
  register: (program) => {
    const curriculum = program
      .command("curriculum")
      .description("what a run's curriculum holds, and what moved between two runs")
      .addHelpText("after", "\nExample:\n  gradus curriculum show quickstart");
    withCommonOptions(
      curriculum
        .command("diff")
        .description("what moved to which level between two runs, what left and what came back, and why")
        .requiredOption("--before <run>", "the earlier run")
        .requiredOption("--after <run>", "the later run"),
    )
      .addHelpText(
        "after",
        "\nReads what the runs have made; samples and judges nothing.\n\nExample:\n  gradus curriculum diff --before spider-dev-before --after spider-dev-after --json",
      )
      .action(diff);
    withCommonOptions(
      curriculum
        .command("show <run>")
        .description("hardness by pass rate, and what other bounds of the filter would keep"),
    )
      .addHelpText("after", "\nExample:\n  gradus curriculum show quickstart")
      .action(show);
  },
};

async function diff({ before, after, ...options }: DiffOptions): Promise<void> {
  const { runsFolder } = pathRoots(options, process.cwd());
  const earlier = await placesOf(runsFolder, before);
  const later = await placesOf(runsFolder, after);
  const notes = recipeDifferences(earlier.config, later.config);
  const found = diffCurricula(earlier.places, later.places);
  if (options.json === true) printJson({ before, after, notes, ...found });
  else printText(renderCurriculumDiff(found, { before, after, notes }));
}

async function show(run: string, options: CommonOptions): Promise<void> {
  const { runsFolder } = pathRoots(options, process.cwd());
  const tables = curriculumTables(await ratedPlacesOf(runsFolder, run));
  if (options.json === true) printJson({ run, ...tables });
  else printText(renderCurriculumTables(tables));
}

export default command;
