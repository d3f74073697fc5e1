import type { Message } from "./trajectory.ts";

/** One prediction as a file has it, before it is joined to an example. */
export interface PredictionRow {
  /** The question's key, when the file gives one; `null` for a file joined by position. */
  readonly key: string | null;
  /**
   * What `key` is: `position`, the 0-based place of the question in the dataset, or `name`, the dataset's own
   * name for it (or its example id).
   */
  readonly keyKind: "position" | "name";
  /** 0-based position among the file's predictions. */
  readonly position: number;
  /** As written; `null` when the file has none for this question. */
  readonly sql: string | null;
  /** Further columns that must agree with the example, when the file has them. */
  readonly databaseId: string | null;
  readonly question: string | null;
  /** Several samples of one question in one file: 0-based; `null` when there is one, or they come in order. */
  readonly sampleIndex: number | null;
  /** The whole answer as sampled, when the file has it. */
  readonly rawText: string | null;
  /** The whole rollout, when the file has it. */
  readonly messages: readonly Message[] | null;
}

/**
 * A layout of prediction files. `read` streams rows; throws IMPORT_FILE_MALFORMED with file and line for
 * one that it cannot read.
 */
export interface PredictionFormat {
  readonly kind: "prediction-format";
  readonly id: string;
  readonly version: number;
  /** Whether a file of this name and first bytes is in this format; used when the person names none. */
  recognises(fileName: string, head: string): boolean;
  read(path: string): AsyncIterable<PredictionRow>;
}

/** Types a prediction format plug; the file's stem is its id. */
export function definePredictionFormat(format: Omit<PredictionFormat, "kind">): PredictionFormat {
  return { kind: "prediction-format", ...format };
}
