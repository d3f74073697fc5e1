import path from "node:path";
import { Trajectory } from "../../core/trajectory.ts";
import { makeFolder, move } from "../../io/files.ts";
import { RowWriter } from "../../io/jsonl.ts";
import { DatasetConfig, RunConfig } from "../config.ts";
import { evaluationPipeline } from "../evaluate.ts";
import { findDatasets } from "../find-datasets.ts";
import { interruptSignal } from "../interrupt.ts";
import { createPlugFinder } from "../plugs.ts";
import { runInFolder } from "../run-in-folder.ts";
import type { Artifact } from "../../io/artifact-store.ts";
import {
  type CliCommand,
  type CommonOptions,
  namedByOptions,
  pathRoots,
  printJson,
  printText,
  refuseOverwriting,
  reporterFor,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly dataset: string;
  readonly root?: string;
  readonly split: string;
  readonly release?: string;
  readonly model: string;
  readonly revision?: string;
  readonly format?: string;
  readonly partial?: boolean;
  readonly out: string;
  readonly name?: string;
}

/** `gradus import`: predictions made elsewhere as samples of a named model. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("import <files...>")
        .description("take predictions or rollouts made elsewhere as samples of a named model")
        .requiredOption("--dataset <loader>", "id of the dataset's loader")
        .requiredOption("--split <name>", "split that the predictions answer")
        .requiredOption("--model <name>", "the model that made them; each file is one more sample a question")
        .requiredOption("--out <file>", "trajectories, JSON Lines")
        .option("--root <dir>", "folder in the official layout (default: <loader> below the data root)")
        .option("--release <name>", "release to insist on")
        .option("--revision <text>", "the model's checkpoint (default: digest of the files)")
        .option("--format <id>", "format of the files (default: recognised)")
        .option("--partial", "allow questions without a prediction")
        .option("--name <name>", "name of the run (default: import-<dataset>-<split>)"),
    )
      .addHelpText(
        "after",
        "\nPredictions are joined to questions by key where the file has keys, else by position; a missing or\nextra one is an error that names it.\n\nExample:\n  gradus import run1.txt run2.txt --dataset spider --split dev --model my-7b --out samples.jsonl",
      )
      .action((files: string[], options: Options) => namedByOptions(() => importFiles(files, options)));
  },
};

async function importFiles(files: string[], options: Options): Promise<void> {
  refuseOverwriting(options.out, files);
  const interrupt = interruptSignal(writeError);
  const roots = pathRoots(options, process.cwd());
  const { dataset: loader, split, release = null, format = null, partial = false, revision = null } = options;
  const dataset = DatasetConfig.parse({ loader, root: options.root ?? loader, split, release });
  const config = {
    datasets: [dataset],
    prompt: RunConfig.shape.prompt.parse({ valuesPerColumn: 0 }),
    judge: RunConfig.shape.judge.parse({}),
  };
  try {
    const found = await findDatasets(config.datasets, createPlugFinder(), roots);
    const pipeline = evaluationPipeline({
      config,
      ...found,
      files: files.map((file) => path.resolve(file)),
      model: { name: options.model, revision },
      format,
      partial,
      concurrency: 1,
    });
    const runFolder = path.join(roots.runsFolder, options.name ?? `import-${loader}-${split}`);
    const { result, store } = await runInFolder(
      { pipeline, runFolder, seed: 1, until: "import", dryRun: false },
      {
        databaseFolders: found.databaseFolders,
        workers: 1,
        reporter: reporterFor(options),
        signal: interrupt.signal,
      },
      { command: "import", ...config, model: options.model, files: files.map((file) => path.basename(file)) },
    );
    const artifact = result.artifacts.get("import") as Artifact;
    const rows = await copyRows(store.rows(artifact, "trajectories", Trajectory), options.out);
    if (options.json === true) printJson({ out: options.out, trajectories: rows });
    else printText(`${rows} samples of ${options.model} in ${options.out}`);
  } finally {
    interrupt.release();
  }
}

async function copyRows(rows: AsyncIterable<Trajectory>, out: string): Promise<number> {
  const partial = `${path.resolve(out)}.partial`;
  await makeFolder(path.dirname(partial));
  const writer = await RowWriter.open(partial);
  for await (const row of rows) await writer.add(row);
  const written = await writer.finish();
  await move(partial, path.resolve(out));
  return written.rows;
}

export default command;
