/** One prediction as a file has it, before it is joined to an example. */
export interface PredictionRow {
  /** The dataset's own key of the question, when the file gives one; `null` for a file joined by position. */
  readonly key: string | null;
  /** 0-based position among the file's predictions. */
  readonly position: number;
  /** As written; `null` when the file has none for this question. */
  readonly sql: string | null;
  /** Further columns that must agree with the example, when the file has them. */
  readonly databaseId: string | null;
  readonly question: string | null;
  /** Several samples of one question in one file: 0-based; `null` when there is one. */
  readonly sampleIndex: number | null;
  /** The whole answer as sampled, when the file has it. */
  readonly rawText: string | null;
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
