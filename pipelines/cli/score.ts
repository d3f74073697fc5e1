import type { DatabaseSchema } from "../../core/database.ts";
import path from "node:path";
import { GradusError } from "../../core/errors.ts";
import { readTables } from "../../datasets/tables-file.ts";
import { kindOf } from "../../io/files.ts";
import { limitHeapGrowth } from "../../io/heap-growth.ts";
import { databaseLocator } from "../../io/locate-database.ts";
import { R_VES_ROUNDS } from "../../curation/r-ves.ts";
import { interruptSignal } from "../interrupt.ts";
import { renderOfficialTables } from "../render-official-table.ts";
import { defaultWorkers, openServices } from "../run-services.ts";
import { type ScoreTotals, scorePairs } from "../score-pairs.ts";
import {
  type CliCommand,
  type CommonOptions,
  listOption,
  namedByOptions,
  printJson,
  printText,
  refuseOverwriting,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly pairs: string;
  readonly databases: string;
  readonly tables?: string;
  readonly metrics: string;
  readonly out: string;
  readonly workers?: string;
  readonly predictionCpuMs: string;
  readonly goldCpuMs: string;
  readonly timingRounds: string;
}

/** Rows and bytes of one result that are held; a larger result is streamed or unscored. */
const RESULT_LIMITS = { maxRows: 1_000_000, maxBytes: 268_435_456 };

/** Lines in flight for each worker: enough that lines of one database meet in a batch, whatever their order. */
const LINES_PER_WORKER = 512;

/** `gradus score`: judges lines of (database, gold, prediction). */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("score")
        .description("judge (database, gold, prediction) lines as the official evaluators do")
        .requiredOption("--pairs <file>", "JSON Lines with db_id, gold, pred and any other fields")
        .requiredOption("--databases <dirs>", "folders that hold X/X.sqlite, separated by commas")
        .requiredOption("--out <file>", "where the same lines go, with verdicts and executions")
        .option("--tables <file>", "tables.json: schemas for metrics that parse")
        .option("--metrics <ids>", "metrics and labels, separated by commas", "bird-ex")
        .option("--workers <n>", "worker processes (default: one a core)")
        .option("--prediction-cpu-ms <ms>", "CPU time of one prediction", "30000")
        .option("--gold-cpu-ms <ms>", "CPU time of one gold", "60000")
        .option("--timing-rounds <n>", "how often bird-r-ves times a pair", String(R_VES_ROUNDS)),
    )
      .addHelpText(
        "after",
        "\nEach line leaves with its text as it came, with verdicts (by metric: status and score, label, or reason and message) and, where SQL was run, executions: how gold and pred ended, as status and message; they take the place of fields of these names.\n\nLines with levels give the official tables: the labels spider-hardness and bird-difficulty, and the fields difficulty, turn (of its dialogue, whose lines follow one another) and dialogue (its id).\n\nExample:\n  gradus score --pairs pairs.jsonl --databases spider/database --metrics bird-ex,spider-hardness --out judged.jsonl",
      )
      .action((options: Options) => namedByOptions(() => score(options)));
  },
};

async function score(options: Options): Promise<void> {
  limitHeapGrowth();
  refuseOverwriting(options.out, [options.pairs]);
  const ids = listOption("--metrics", options.metrics);
  const predictionCpuMs = wholeNumber("--prediction-cpu-ms", options.predictionCpuMs, 1);
  const goldCpuMs = wholeNumber("--gold-cpu-ms", options.goldCpuMs, 1);
  const timingRounds = wholeNumber("--timing-rounds", options.timingRounds, 1);
  const workers =
    options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
  const folders = await foldersOf(options.databases);
  const interrupt = interruptSignal(writeError);
  const reporter = reporterFor(options);
  const services = openServices({
    databaseFolders: folders,
    workers,
    reporter,
    signal: interrupt.signal,
  });
  try {
    const metrics = await Promise.all(ids.map((id) => services.plugs.find("metric", id)));
    reporter.stepStarted("score", []);
    const totals = await scorePairs(
      {
        pairs: options.pairs,
        out: options.out,
        metrics,
        databasePath: databaseLocator(folders),
        schemas: await tables(options.tables),
        predictionLimits: { ...RESULT_LIMITS, cpuMs: predictionCpuMs },
        goldLimits: { ...RESULT_LIMITS, cpuMs: goldCpuMs },
        timingRounds,
        concurrency: workers * LINES_PER_WORKER,
      },
      {
        judge: services.judge,
        inspector: services.inspector,
        progress: (done) => {
          reporter.progress("score", done, undefined);
        },
      },
    );
    if (options.json === true) printJson(totals);
    else printText(render(totals));
  } finally {
    interrupt.release();
    await services.close();
  }
}

/** The folders that `--databases` names. Throws `USAGE` for one that is no folder. */
async function foldersOf(text: string): Promise<readonly string[]> {
  const folders = listOption("--databases", text);
  for (const folder of folders) {
    if ((await kindOf(folder)) !== "folder") {
      throw new GradusError("USAGE", `--databases names "${folder}", which is no folder`);
    }
  }
  return folders;
}

async function tables(file: string | undefined): Promise<ReadonlyMap<string, DatabaseSchema>> {
  if (file === undefined) return new Map();
  const root = path.dirname(path.resolve(file));
  const name = path.basename(file);
  const loaded = await readTables(root, { name, path: path.resolve(file), role: "tables", required: true });
  return new Map(loaded.map(({ schema }) => [schema.databaseId, schema]));
}

function render(totals: ScoreTotals): string {
  const lines = [`${totals.lines} lines`];
  for (const [id, metric] of Object.entries(totals.metrics)) {
    const labels = Object.entries(metric.labels);
    const mean = metric.scored === 0 ? "-" : (metric.sum / metric.scored).toFixed(4);
    const said =
      labels.length > 0 ? labels.map(([label, count]) => `${label} ${count}`).join(", ") : `mean ${mean}`;
    const reasons = Object.entries(metric.unscored).map(([reason, count]) => `${reason} ${count}`);
    lines.push(
      `${id}: ${metric.scored} scored, ${said}${reasons.length === 0 ? "" : `; unscored: ${reasons.join(", ")}`}`,
    );
  }
  if (totals.oddTurns > 0) {
    lines.push(
      `${totals.oddTurns} lines have a "turn" that is no whole number from 0: they count in no dialogue`,
    );
  }
  const official = renderOfficialTables(totals.tables);
  return [lines.join("\n"), ...(official === "" ? [] : [official])].join("\n\n");
}

export default command;
