import type { PredictionRow } from "../core/prediction-format.ts";

/**
 * The rows of a file without the blank lines that the official multi-turn files have between dialogues. `turns` are the
 * lengths of the dataset's dialogues, in order. A file is taken for one of these only when it has no keys, a blank line
 * after every dialogue (it may lack the last one) and exactly one line for each turn: there a blank line of a turn stays
 * an empty answer. Any other file comes as it is. Without keys the rows wait in memory until the last one is read.
 */
export async function* withoutSeparators(
  rows: AsyncIterable<PredictionRow>,
  turns: readonly number[],
): AsyncGenerator<PredictionRow> {
  const waiting: PredictionRow[] = [];
  let isKeyed = turns.length === 0;
  for await (const row of rows) {
    isKeyed ||= row.key !== null;
    if (isKeyed) yield* [...waiting.splice(0), row];
    else waiting.push(row);
  }
  const places = separatorsOf(turns);
  const lacksLast = waiting.length === places.at(-1);
  const separators = new Set(lacksLast ? places.slice(0, -1) : places);
  const isSeparated =
    waiting.length === (places.at(-1) ?? 0) + (lacksLast ? 0 : 1) &&
    [...separators].every((place) => isBlank(waiting[place]));
  const answers = isSeparated ? waiting.filter((_, place) => !separators.has(place)) : waiting;
  for (const [position, row] of answers.entries()) yield { ...row, position };
}

/** Where the line after each dialogue stands, from 0. */
function separatorsOf(turns: readonly number[]): number[] {
  let place = -1;
  return turns.map((count) => {
    place += count + 1;
    return place;
  });
}

function isBlank(row: PredictionRow | undefined): boolean {
  if (row === undefined) return false;
  const { sql, databaseId, rawText, messages } = row;
  return (sql ?? "").trim() === "" && databaseId === null && rawText === null && messages === null;
}
