import path from "node:path";
import { GradusError } from "../../core/errors.ts";
import type { PlugFinder } from "../../core/plug.ts";
import type { PredictionRow } from "../../core/prediction-format.ts";
import { formatOf } from "../../synth/import-predictions.ts";
import type { ReleaseRow } from "./release-fields.ts";

/** The answers of one system by the question that they answer. */
export interface SystemAnswers {
  readonly name: string;
  readonly answers: ReadonlyMap<ReleaseRow, string>;
  /** Answers whose question is not in the release. */
  readonly astray: number;
}

/**
 * Reads a prediction file and finds the question of each answer: by the key that it gives, which is the question's own
 * name or its place; by place where it gives none. Where a release has another number of questions than the file has
 * answers, a place is taken for the question's name, as BIRD numbers its questions by place.
 * @throws PREDICTIONS_UNMATCHED when no answer has a question; and as the prediction formats.
 */
export async function readPredictions(
  file: string,
  rows: readonly ReleaseRow[],
  plugs: PlugFinder,
): Promise<SystemAnswers> {
  const name = path.basename(file);
  const format = await formatOf({ name, format: null }, { name, path: file }, plugs);
  const predictions: PredictionRow[] = [];
  for await (const row of format.read(file)) predictions.push(row);
  const byId = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])));
  const isWhole = predictions.length === rows.length;
  const answers = new Map<ReleaseRow, string>();
  let astray = 0;
  for (const { key, keyKind, position, sql, sampleIndex } of predictions) {
    const place = key !== null && keyKind === "position" ? key : String(position);
    const byPlace = isWhole ? rows[Number(place)] : byId.get(place);
    const row = key !== null && keyKind === "name" ? byId.get(key) : byPlace;
    if (row === undefined) astray += 1;
    else if (sql !== null && (sampleIndex ?? 0) === 0 && !answers.has(row)) answers.set(row, sql);
  }
  if (answers.size > 0) return { name, answers, astray };
  throw new GradusError(
    "PREDICTIONS_UNMATCHED",
    `cannot use ${name}: none of its ${predictions.length} answers belongs to one of the ${rows.length} questions`,
    {
      site: { file: name },
      hint: "give a file of the same split, or one with question_id beside each answer",
    },
  );
}
