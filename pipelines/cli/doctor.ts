import { checkCorrections, renderCorrectionCheck } from "../audit/check-corrections.ts";
import { diagnose, renderDoctorReport, splitsPresent } from "../doctor.ts";
import type { DoctorReport } from "../doctor-report.ts";
import { interruptSignal } from "../interrupt.ts";
import { resolvePath } from "../paths.ts";
import { createPlugFinder } from "../plugs.ts";
import { defaultWorkers, openServices } from "../run-services.ts";
import {
  type CliCommand,
  type CommonOptions,
  namedByOptions,
  pathRoots,
  printJson,
  printText,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly root?: string;
  readonly split?: string[];
  readonly release?: string;
  readonly workers?: string;
  readonly grade?: boolean;
  readonly corrections?: string[];
}

/** `gradus doctor`: files, counts, databases and every gold of a dataset. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("doctor <dataset>")
        .description("check a dataset before anything is spent: files, counts, databases and every gold")
        .option("--root <dir>", "folder in the official layout (default: <dataset> below the data root)")
        .option("--split <names...>", "splits to check (default: all that are there)")
        .option("--release <name>", "release to insist on")
        .option("--corrections <files...>", "corrections that must fit the splits; says how many apply")
        .option("--workers <n>", "worker processes (default: one a core)")
        .option(
          "--grade",
          "also find how each gold's answers are fairly compared, and golds that data leave open",
        ),
    )
      .addHelpText(
        "after",
        "\nExit status 1 when anything is broken.\n\nExample:\n  gradus doctor spider --root ~/data/spider\n  gradus doctor bird --root sample:bird --split train",
      )
      .action((dataset: string, options: Options) => namedByOptions(() => doctor(dataset, options)));
  },
};

async function doctor(dataset: string, options: Options): Promise<void> {
  const interrupt = interruptSignal(writeError);
  const reporter = reporterFor(options);
  const plugs = createPlugFinder();
  const loader = await plugs.find("loader", dataset);
  const root = await resolvePath(options.root ?? dataset, pathRoots(options, process.cwd()));
  const release = options.release ?? null;
  const splits = options.split ?? (await splitsPresent(loader, root, release));
  const workers =
    options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
  try {
    reporter.stepStarted("doctor", []);
    const reports: DoctorReport[] = [];
    for (const split of splits) {
      const databaseFolders = loader.databaseFolders({ root, split, release });
      const services = openServices({
        databaseFolders,
        workers,
        reporter,
        signal: interrupt.signal,
      });
      try {
        const progress = (done: number, total?: number): void => {
          reporter.progress("doctor", done, total);
        };
        reports.push(
          await diagnose({
            ...services,
            ...(options.grade === true ? { grader: services.sql } : {}),
            loader: dataset,
            root,
            splits: [split],
            release,
            progress,
          }),
        );
      } finally {
        await services.close();
      }
    }
    const report = mergeReports(reports);
    const files = options.corrections ?? [];
    const sources = splits.map((split) => ({ root, split, release }));
    const corrections = files.length === 0 ? null : await checkCorrections(loader, sources, files);
    const said = corrections === null ? [] : [renderCorrectionCheck(corrections)];
    if (options.json === true) printJson(corrections === null ? report : { ...report, corrections });
    else printText([renderDoctorReport(report), ...said].join("\n"));
    if (!report.ok) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}

/** One report over splits that were looked at apart, since splits can bring different files of one database. */
function mergeReports(reports: readonly DoctorReport[]): DoctorReport {
  const [first] = reports as [DoctorReport];
  const databases = new Map(
    reports.flatMap((report) =>
      report.databases.map((one) => [`${one.databaseId} ${one.digest}`, one] as const),
    ),
  );
  return {
    ...first,
    ok: reports.every((report) => report.ok),
    splits: reports.flatMap((report) => report.splits),
    databases: [...databases.values()],
  };
}

export default command;
