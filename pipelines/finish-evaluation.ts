import {
  type DocumentRequest,
  evaluatedExamples,
  type EvaluationDocument,
  evaluationDocument,
  writeEvaluation,
} from "./evaluation-document.ts";
import { officialTablesOf, type SystemTables } from "./official-tables.ts";
import { trainingOverlap } from "./training-overlap.ts";

/** Steps that have run, and what is left to look at. */
export interface FinishRequest extends Omit<DocumentRequest, "official" | "overlap"> {
  readonly runFolder: string;
  readonly runsFolder: string;
  /** A run or shards to search for evaluated questions; `null` searches none. */
  readonly training: string | null;
  /** Whether the table by hardness is wanted also for questions with a difficulty of BIRD's. */
  readonly hardness: boolean;
}

/** What an evaluation ends with. */
export interface FinishedEvaluation {
  /** `evaluation.json`. */
  readonly file: string;
  readonly document: EvaluationDocument;
  /** The official scripts' tables by the step that averaged. */
  readonly official: ReadonlyMap<string, readonly SystemTables[]>;
}

/** Makes the official tables, searches the training set, and writes `evaluation.json` into the run's folder. */
export async function finishEvaluation(request: FinishRequest): Promise<FinishedEvaluation> {
  const { pipeline, result, store, steps, hardness, training, runsFolder, runFolder } = request;
  const official = new Map<string, readonly SystemTables[]>();
  for (const { accuracy } of steps) {
    official.set(accuracy, await officialTablesOf({ pipeline, result, store, step: accuracy, hardness }));
  }
  const examples = evaluatedExamples(request);
  const overlap =
    training === null || examples === null ? null : await trainingOverlap(training, runsFolder, examples);
  const document = await evaluationDocument({ ...request, official, overlap });
  return { file: await writeEvaluation(runFolder, document), document, official };
}
