import path from "node:path";
import { z } from "zod";
import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { sha256 } from "../core/key.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { PredictionFormat } from "../core/prediction-format.ts";
import { SampleGroup } from "../core/rows.ts";
import { Reject } from "../core/reject.ts";
import { defineStage } from "../core/stage.ts";
import type { StageContext } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import type { ModelName } from "../core/trajectory.ts";
import { digestFile } from "../io/files.ts";
import { readLines } from "../io/jsonl.ts";
import { RowSpool } from "../io/row-spool.ts";
import { DEFAULT_MAX_STATEMENT_CHARACTERS } from "../sql/statement-check.ts";
import { importedTrajectory } from "./imported-trajectory.ts";
import { ExampleIndex, joinPredictions } from "./join-predictions.ts";
import type { ImportedAnswer, JoinedFile } from "./join-predictions.ts";

/** One file of predictions. */
export const PredictionImport = z.strictObject({
  /** The file's name, for messages; its ending helps to recognise the format. */
  name: z.string().min(1),
  /** Without a revision, the model's files are its revision: the first 12 digits of their digest. */
  model: z.strictObject({ name: z.string().min(1), revision: z.string().min(1).nullable().default(null) }),
  /** A prediction format by id; `null` recognises it. */
  format: z.string().nullable().default(null),
  /** Whether examples may stay without an answer. */
  partial: z.boolean().default(false),
});
export type PredictionImport = z.infer<typeof PredictionImport>;

/** Options of {@link importPredictionsStage}. */
export const ImportPredictionsOptions = z.strictObject({
  imports: z.array(PredictionImport).min(1),
  round: z.int().nonnegative().default(0),
});

/** The formats that come with gradus: which of them a file is in is only known once it is read. */
const RECOGNISED_FORMATS = ["bird-json", "csv", "jsonl", "lines", "trajectories"];
const HEAD_CHARACTERS = 65_536;
const HEAD_LINES = 64;

/**
 * Makes trajectories of predictions made elsewhere, by example, then model in the order of the list, then
 * sample. Files of one model (by name and revision) are its successive samples. Everything is read and
 * joined before the first row leaves; until then answers lie in temporary files. An answer longer than a statement may be is a reject.
 * @throws IMPORT_FILES_MISMATCH, IMPORT_FORMAT_UNKNOWN, IMPORT_FORMAT_AMBIGUOUS, IMPORT_FILE_MALFORMED, and
 * as {@link joinPredictions}.
 */
export const importPredictionsStage = defineStage({
  name: "import-predictions",
  version: 2,
  inputs: { examples: Example, databases: Database },
  outputs: { trajectories: Trajectory, groups: SampleGroup, rejects: Reject },
  options: ImportPredictionsOptions,
  runtime: z.strictObject({ files: z.array(z.string()) }),
  plugs: (options) =>
    [...new Set(options.imports.flatMap(({ format }) => (format === null ? RECOGNISED_FORMATS : [format])))]
      .sort()
      .map((id) => ({ kind: "prediction-format", id })),
  sources: (options, runtime) => Promise.resolve(filesOf(options.imports, runtime.files)),
  async *run({ inputs, options, runtime, context }) {
    const databases = new Set<string>();
    for await (const database of inputs.databases()) databases.add(database.databaseId);
    const index = new ExampleIndex(databases);
    for await (const example of inputs.examples()) index.add(example);
    const spools: RowSpool<ImportedAnswer>[] = [];
    try {
      const models = await readModels(options.imports, runtime.files, { index, context, spools });
      let place = 0;
      for await (const example of inputs.examples()) {
        context.signal.throwIfAborted();
        for await (const { name, answer, model, sampleIndex } of answersAt(models, place)) {
          const row = importedTrajectory(example, answer, { model, sampleIndex, round: options.round });
          if ((row.finalSql?.length ?? 0) > DEFAULT_MAX_STATEMENT_CHARACTERS) {
            yield { port: "rejects", row: tooLong(`${name}[${answer.position}]`, row.finalSql?.length ?? 0) };
          } else {
            yield { port: "trajectories", row };
          }
        }
        place += 1;
        context.progress(place, index.size);
      }
    } finally {
      for (const spool of spools) await spool.close();
    }
  },
});

/** A file of predictions. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

function filesOf(imports: readonly PredictionImport[], files: readonly string[]): NamedFile[] {
  if (files.length !== imports.length) {
    throw new GradusError(
      "IMPORT_FILES_MISMATCH",
      `cannot import: got ${files.length} files for ${imports.length} imports, expected one each`,
      { site: { stage: "import-predictions" } },
    );
  }
  return imports.map(({ name }, place) => ({ name, path: files[place] ?? "" }));
}

/** A model with its files, in the order of the list. */
interface ImportedModel {
  readonly model: ModelName;
  readonly files: readonly {
    readonly name: string;
    readonly joined: JoinedFile;
    readonly spool: RowSpool<ImportedAnswer>;
    readonly firstSample: number;
  }[];
}

interface ImportPlace {
  readonly index: ExampleIndex;
  readonly context: StageContext;
  /** Takes the spool of every file, for the caller to close. */
  readonly spools: RowSpool<ImportedAnswer>[];
}

async function readModels(
  imports: readonly PredictionImport[],
  files: readonly string[],
  { index, context, spools }: ImportPlace,
): Promise<ImportedModel[]> {
  const named = filesOf(imports, files);
  const groups = new Map<
    string,
    { model: PredictionImport["model"]; digests: string[]; files: ImportedModel["files"] }
  >();
  for (const [place, spec] of imports.entries()) {
    context.signal.throwIfAborted();
    const file = named[place] as NamedFile;
    const format = await formatOf(spec, file, context.plugs);
    const rows = format.read(file.path);
    const spool = await RowSpool.open<ImportedAnswer>();
    spools.push(spool);
    const joined = await joinPredictions(index, { name: spec.name, partial: spec.partial, rows, spool });
    warnOfUneven(spec.name, joined, (message) => context.warn(message));
    const key = JSON.stringify([spec.model.name, spec.model.revision]);
    const group = groups.get(key) ?? { model: spec.model, digests: [], files: [] };
    const firstSample = group.files.reduce((sum, earlier) => sum + earlier.joined.samples, 0);
    group.digests.push((await digestFile(file.path)).sha256);
    group.files = [...group.files, { name: spec.name, joined, spool, firstSample }];
    groups.set(key, group);
  }
  return [...groups.values()].map(({ model, digests, files: members }) => ({
    model: { name: model.name, revision: model.revision ?? revisionOf(digests) },
    files: members,
  }));
}

function revisionOf(digests: readonly string[]): string {
  const [only = ""] = digests;
  return (digests.length === 1 ? only : sha256(digests.join("\n"))).slice(0, 12);
}

async function* answersAt(models: readonly ImportedModel[], place: number) {
  for (const { model, files } of models) {
    for (const { name, joined, spool, firstSample } of files) {
      for (const { number, sampleIndex } of joined.answers[place] ?? []) {
        yield { name, answer: await spool.get(number), model, sampleIndex: firstSample + sampleIndex };
      }
    }
  }
}

/** Warns of a file that answers some examples more often than others: perhaps a key that is there twice. */
function warnOfUneven(name: string, joined: JoinedFile, warn: (message: string) => void): void {
  const counts = joined.answers.flatMap((answers) => (answers === undefined ? [] : [answers.length]));
  const most = counts.reduce((highest, count) => Math.max(highest, count), 0);
  const fewer = counts.filter((count) => count < most).length;
  if (fewer === 0) return;
  warn(
    `${name} answers ${counts.length - fewer} examples ${most} times and ${fewer} less often: a key that comes again is taken as one more sample`,
  );
}

/** The format of a file: the one named, else the one that its name and first lines fit. Throws IMPORT_FORMAT_UNKNOWN, IMPORT_FORMAT_AMBIGUOUS. */
export async function formatOf(
  spec: Pick<PredictionImport, "name" | "format">,
  file: NamedFile,
  plugs: PlugFinder,
): Promise<PredictionFormat> {
  if (spec.format !== null) return plugs.find("prediction-format", spec.format);
  const head = await headOf(file.path);
  const fileName = path.basename(spec.name);
  const formats = await Promise.all(RECOGNISED_FORMATS.map((id) => plugs.find("prediction-format", id)));
  const fitting = formats.filter((format) => format.recognises(fileName, head));
  const [format, ...others] = fitting;
  if (format !== undefined && others.length === 0) return format;
  const details = {
    site: { stage: "import-predictions", file: spec.name },
    hint: `name it in the import's \`format\`: ${RECOGNISED_FORMATS.join(", ")}`,
  };
  if (format === undefined) {
    const message = `cannot import ${spec.name}: its name and first lines fit no prediction format`;
    throw new GradusError("IMPORT_FORMAT_UNKNOWN", message, details);
  }
  const ids = fitting.map(({ id }) => id).join(" and ");
  throw new GradusError("IMPORT_FORMAT_AMBIGUOUS", `cannot import ${spec.name}: it fits ${ids}`, details);
}

async function headOf(file: string): Promise<string> {
  let head = "";
  for await (const { text, line } of readLines(file)) {
    head += `${text}\n`;
    if (head.length >= HEAD_CHARACTERS || line >= HEAD_LINES) break;
  }
  return head.slice(0, HEAD_CHARACTERS);
}

function tooLong(rowId: string, length: number): Reject {
  return {
    rowId,
    code: "IMPORT_ANSWER_TOO_LONG",
    message: `the answer has ${length} characters, at most ${DEFAULT_MAX_STATEMENT_CHARACTERS} are taken`,
  };
}
