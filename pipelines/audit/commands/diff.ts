import { GradusError } from "../../../core/errors.ts";
import { kindOf } from "../../../io/files.ts";
import { databaseLocator } from "../../../io/locate-database.ts";
import {
  type CliCommand,
  type CommonOptions,
  listOption,
  printJson,
  printText,
  reporterFor,
  wholeNumber,
  writeError,
} from "../../cli/command.ts";
import { interruptSignal } from "../../interrupt.ts";
import { createPlugFinder } from "../../plugs.ts";
import { defaultWorkers, openServices } from "../../run-services.ts";
import { correctedRelease, isOverlay } from "../corrected-release.ts";
import { diffReleases } from "../diff-releases.ts";
import { readRelease } from "../read-release.ts";
import { readPredictions } from "../release-predictions.ts";
import { renderReleaseDiff } from "../render-release-diff.ts";

interface Options extends CommonOptions {
  readonly before: string;
  readonly after: string;
  readonly databases?: string;
  readonly predictions?: string[];
  readonly partial?: boolean;
  readonly metric: string;
  readonly show: string;
  readonly cpuMs: string;
  readonly workers?: string;
}

/** Rows and bytes of one result that are held; a larger result is streamed or has no verdict. */
const RESULT_LIMITS = { maxRows: 1_000_000, maxBytes: 268_435_456 };

const CHANGES_PER_WORKER = 16;

/** `gradus audit diff`: what a release, or somebody's corrections, changed and what that does. */
const command: CliCommand = {
  register: (audit) => {
    audit
      .command("diff")
      .description("say what a newer release or somebody's corrections changed, and what each change does")
      .requiredOption(
        "--before <path>",
        "a questions file (JSON, JSON Lines, CSV) or the folder of a release",
      )
      .requiredOption("--after <path>", "the same, later or corrected, or an overlay of corrections")
      .option("--databases <dirs>", "folders that hold X/X.sqlite, separated by commas")
      .option(
        "--predictions <files...>",
        "answers of systems, to see which verdicts change and who disagrees",
      )
      .option("--partial", "--after speaks of some questions only: what it lacks is not removed")
      .option("--metric <id>", "the metric that judges the answers", "bird-ex")
      .option("--show <n>", "changes to list after the totals", "20")
      .option("--cpu-ms <ms>", "CPU time of one statement", "30000")
      .option("--workers <n>", "worker processes (default: one a core)")
      .option("--json", "one JSON document on standard output, nothing else")
      .option("--quiet", "no progress, only warnings")
      .addHelpText(
        "after",
        "\nColumns are known by name: question, SQL or query, evidence, db_id, question_id; a review sheet has the corrected text in columns of its own. Questions are matched by id, else by question and database.\n\nExample:\n  gradus audit diff --before bird/dev_2023/dev.json --after bird/dev/dev.json --databases bird/dev/dev_databases --predictions answers/*.json",
      )
      .action(diff);
  },
};

async function diff(options: Options): Promise<void> {
  const show = wholeNumber("--show", options.show, 0);
  const cpuMs = wholeNumber("--cpu-ms", options.cpuMs, 1);
  const workers =
    options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
  const before = await readRelease(options.before, "before");
  const after = (await isOverlay(options.after))
    ? await correctedRelease(before, options.after)
    : await readRelease(options.after, "after");
  const folders = await databaseFolders(options, [...after.databaseFolders, ...before.databaseFolders]);
  const plugs = createPlugFinder();
  const systems = await Promise.all(
    (options.predictions ?? []).map((file) => readPredictions(file, before.rows, plugs)),
  );
  const interrupt = interruptSignal(writeError);
  const reporter = reporterFor(options);
  const services = openServices({ databaseFolders: folders, workers, reporter, signal: interrupt.signal });
  try {
    reporter.stepStarted("diff", []);
    const found = await diffReleases(
      {
        before,
        after,
        systems,
        isPartial: options.partial === true,
        metric: options.metric,
        limits: { ...RESULT_LIMITS, cpuMs },
        databasePath: databaseLocator(folders),
        concurrency: workers * CHANGES_PER_WORKER,
      },
      {
        judge: services.judge,
        inspector: services.inspector,
        progress: (done, total) => {
          reporter.progress("diff", done, total);
        },
      },
    );
    if (options.json === true) printJson(found);
    else printText(renderReleaseDiff(found, show));
  } finally {
    interrupt.release();
    await services.close();
  }
}

async function databaseFolders(options: Options, found: readonly string[]): Promise<readonly string[]> {
  if (options.databases === undefined) return found;
  const folders = listOption("--databases", options.databases);
  for (const folder of folders) {
    if ((await kindOf(folder)) !== "folder")
      throw new GradusError("USAGE", `--databases names "${folder}", which is no folder`);
  }
  return folders;
}

export default command;
