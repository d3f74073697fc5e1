import path from "node:path";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { OrderedExample } from "../core/rows.ts";
import type { Rows } from "../core/stage.ts";
import { type Artifact, ArtifactStore } from "../io/artifact-store.ts";
import { kindOf, listFolder } from "../io/files.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { readParquet } from "../io/parquet.ts";
import { artifactsOfRun } from "./explained-run.ts";

/** Pairs that are named at most. */
const NAMED = 20;

/** A question that was trained on. */
interface TrainedQuestion {
  readonly question: string;
  readonly databaseId: string;
}

/** What the evaluated questions share with those that were trained on. */
export const TrainingOverlap = z.strictObject({
  /** The run, folder or file that was searched. */
  training: z.string(),
  trainingQuestions: z.int().nonnegative(),
  evaluatedQuestions: z.int().nonnegative(),
  /** Evaluated questions that were trained on with the same database, and with any. */
  sameQuestionAndDatabase: z.int().nonnegative(),
  sameQuestion: z.int().nonnegative(),
  /** Evaluated questions that are asked of a database that was trained on. */
  onTrainedDatabase: z.int().nonnegative(),
  /** Databases that both have, by code unit. */
  databases: z.array(z.string()),
  /** The first twenty evaluated questions that were trained on. */
  questions: z.array(
    z.strictObject({
      exampleId: z.string(),
      sourceId: z.string(),
      databaseId: z.string(),
      question: z.string(),
    }),
  ),
});
export type TrainingOverlap = z.infer<typeof TrainingOverlap>;

/**
 * Looks for evaluated questions among those that a training set has. `training` is a run of the runs folder, whose kept
 * questions are taken, or a shard or a folder of shards. Questions are the same but for case, white space and
 * punctuation at their ends.
 * @throws RUN_UNKNOWN, TRAINING_UNREADABLE for shards whose rows do not say what is asked of which database.
 */
export async function trainingOverlap(
  training: string,
  runsFolder: string,
  evaluated: Rows<Example>,
): Promise<TrainingOverlap> {
  const pairs = new Set<string>();
  const questions = new Set<string>();
  const databases = new Set<string>();
  let trained = 0;
  for await (const { question, databaseId } of trainedQuestions(training, runsFolder)) {
    trained += 1;
    pairs.add(JSON.stringify([plain(question), databaseId]));
    questions.add(plain(question));
    databases.add(databaseId);
  }
  const found = { pairs: 0, questions: 0, onDatabase: 0, evaluated: 0 };
  const shared = new Set<string>();
  const named: TrainingOverlap["questions"] = [];
  for await (const { id: exampleId, sourceId, databaseId, question } of evaluated()) {
    found.evaluated += 1;
    if (databases.has(databaseId)) {
      found.onDatabase += 1;
      shared.add(databaseId);
    }
    if (!questions.has(plain(question))) continue;
    found.questions += 1;
    if (!pairs.has(JSON.stringify([plain(question), databaseId]))) continue;
    found.pairs += 1;
    if (named.length < NAMED) named.push({ exampleId, sourceId, databaseId, question });
  }
  return {
    training: path.basename(training),
    trainingQuestions: trained,
    evaluatedQuestions: found.evaluated,
    sameQuestionAndDatabase: found.pairs,
    sameQuestion: found.questions,
    onTrainedDatabase: found.onDatabase,
    databases: [...shared].sort(),
    questions: named,
  };
}

function plain(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "");
}

async function* trainedQuestions(training: string, runsFolder: string): AsyncGenerator<TrainedQuestion> {
  const kind = await kindOf(training);
  if (kind === "file") yield* shardQuestions(training);
  else if (kind === "folder") {
    for (const file of await shardFiles(training)) yield* shardQuestions(file);
  } else yield* runQuestions(training, runsFolder);
}

/** The questions that a run kept; all that it loaded where it has come no further. */
async function* runQuestions(name: string, runsFolder: string): AsyncGenerator<TrainedQuestion> {
  const artifacts = await artifactsOfRun(runsFolder, name);
  const store = new ArtifactStore(path.join(runsFolder, name, "artifacts"));
  const ordered = artifacts.get("order");
  const kept = ordered === undefined ? null : new Set<string>();
  if (ordered !== undefined) {
    for await (const { exampleId } of store.rows(ordered, "examples", OrderedExample)) kept?.add(exampleId);
  }
  for (const artifact of loadedBy(artifacts)) {
    for await (const { id, question, databaseId } of store.rows(artifact, "examples", Example)) {
      if (kept === null || kept.has(id)) yield { question, databaseId };
    }
  }
}

function loadedBy(artifacts: ReadonlyMap<string, Artifact>): Artifact[] {
  return [...artifacts].filter(([step]) => /^load(?:-\d+)?$/.test(step)).map(([, artifact]) => artifact);
}

async function shardFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of await listFolder(folder)) {
    const file = path.join(folder, name);
    if ((await kindOf(file)) === "folder") files.push(...(await shardFiles(file)));
    else if (/\.(?:parquet|jsonl)$/.test(name)) files.push(file);
  }
  return files;
}

async function* shardQuestions(file: string): AsyncGenerator<TrainedQuestion> {
  if (file.endsWith(".parquet")) {
    for await (const row of readParquet(file)) yield questionOf(row, file);
    return;
  }
  for await (const { value } of readJsonLines(file)) yield questionOf(value, file);
}

/** What a row of a shard asks of which database, at its top or in `extra_info`. */
function questionOf(row: unknown, file: string): TrainedQuestion {
  const fields = row as Readonly<Record<string, unknown>>;
  for (const place of [fields, fields["extra_info"] as Readonly<Record<string, unknown>> | undefined]) {
    const { question, db_id: databaseId } = place ?? {};
    if (typeof question === "string" && typeof databaseId === "string") return { question, databaseId };
  }
  throw new GradusError(
    "TRAINING_UNREADABLE",
    `cannot search ${file}: its rows have ${Object.keys(fields).join(", ")}, expected question and db_id, also in extra_info`,
    { site: { file }, hint: "name the run that made the shards instead" },
  );
}
