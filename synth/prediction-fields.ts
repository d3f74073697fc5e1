import path from "node:path";
import { GradusError, messageOf } from "../core/errors.ts";
import type { PredictionRow } from "../core/prediction-format.ts";
import { readLines } from "../io/jsonl.ts";

/** A row without anything but its place. */
export function emptyRow(position: number): PredictionRow {
  return {
    key: null,
    keyKind: "name",
    position,
    sql: null,
    databaseId: null,
    question: null,
    sampleIndex: null,
    rawText: null,
    messages: null,
  };
}

/** IMPORT_FILE_MALFORMED with the file's name and 1-based line. `problem` says what was got and expected. */
export function malformed(file: string, line: number, problem: string, cause?: unknown): GradusError {
  const name = path.basename(file);
  return new GradusError("IMPORT_FILE_MALFORMED", `cannot read ${name}: line ${line} ${problem}`, {
    site: { file: name, line },
    hint: "correct the line, or name the file's format in the import's `format`",
    ...(cause === undefined ? {} : { cause }),
  });
}

const BIRD_SEPARATOR = "\t----- bird -----\t";

/** Takes BIRD's suffix off an answer: the SQL as written before it, and the database after it. */
export function splitBirdSuffix(text: string): { sql: string; databaseId: string | null } {
  const at = text.lastIndexOf(BIRD_SEPARATOR);
  if (at === -1) return { sql: text, databaseId: null };
  return { sql: text.slice(0, at), databaseId: text.slice(at + BIRD_SEPARATOR.length).trim() };
}

/** A JSON object of a JSON Lines file, by the names that it may use. */
export type Fields = Readonly<Record<string, unknown>>;

/** The objects of a JSON Lines file; blank lines are passed over. Throws IMPORT_FILE_MALFORMED. */
export async function* readObjects(file: string): AsyncGenerator<{ fields: Fields; line: number }> {
  for await (const { text, line } of readLines(file)) {
    if (text.trim() === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (thrown) {
      throw malformed(file, line, `is not JSON (${messageOf(thrown)}), expected one object a line`, thrown);
    }
    if (!isFields(value)) throw malformed(file, line, "is no JSON object, expected one object a line");
    yield { fields: value, line };
  }
}

/** Whether a JSON value is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of `names` that holds a string or a number, as text; `null` when there is none. */
export function textField(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
    if (typeof value === "number") return String(value);
  }
  return null;
}

/** Names of the question's key that stand for its 0-based place, and those that stand for its own name. */
const POSITION_NAMES = ["index", "position"];
const KEY_NAMES = ["example_id", "exampleId", "id", "question_id", "source_id", "sourceId"];
const DATABASE_NAMES = ["db_id", "database_id", "databaseId", "database"];
const QUESTION_NAMES = ["question", "utterance"];
const SAMPLE_NAMES = ["sample_index", "sampleIndex"];

/** The parts of a row that say which question and sample it answers. Throws IMPORT_FILE_MALFORMED. */
export function placeFields(
  fields: Fields,
  at: { readonly file: string; readonly line: number; readonly position: number },
): PredictionRow {
  const name = textField(fields, KEY_NAMES);
  const key = name ?? textField(fields, POSITION_NAMES);
  const sample = SAMPLE_NAMES.map((sampleName) => fields[sampleName]).find((value) => value !== undefined);
  const sampleIndex = sample ?? null;
  if (sampleIndex !== null && !(Number.isSafeInteger(sampleIndex) && (sampleIndex as number) >= 0)) {
    const got = JSON.stringify(sampleIndex);
    throw malformed(at.file, at.line, `has sample_index ${got}, expected a whole number from 0`);
  }
  if (sampleIndex !== null && key === null) {
    throw malformed(at.file, at.line, "has a sample_index but no key, expected one such as question_id");
  }
  return {
    ...emptyRow(at.position),
    key,
    keyKind: name === null && key !== null ? "position" : "name",
    databaseId: textField(fields, DATABASE_NAMES),
    question: textField(fields, QUESTION_NAMES),
    sampleIndex: sampleIndex as number | null,
  };
}
