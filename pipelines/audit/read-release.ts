import path from "node:path";
import { GradusError } from "../../core/errors.ts";
import { readCsv } from "../../io/csv.ts";
import { kindOf, listFolder } from "../../io/files.ts";
import { readJsonRows } from "../../io/json-array.ts";
import {
  dialogueFieldsOf,
  isObject,
  type ReleaseRow,
  releaseRowOf,
  type ReleaseSide,
} from "./release-fields.ts";

/** A release of a dataset, or someone's corrections of it, read whole. */
export interface Release {
  /** Its last two path segments. */
  readonly name: string;
  readonly rows: readonly ReleaseRow[];
  /** Folders below it that can hold `X/X.sqlite`. */
  readonly databaseFolders: readonly string[];
}

const TABLE_FILE = /tables.*\.json$/i;
const QUESTION_FILE = /\.(json|jsonl|csv)$/i;
const DATABASE_FOLDER = /^(database|.*databases)$/i;

/**
 * Reads a questions file (JSON, JSON Lines or CSV; columns are recognised by their names) or the questions files of a
 * folder. Where a folder has several, an id begins with the name of its file.
 * @throws FILE_MISSING, RELEASE_EMPTY for what has no questions, and as the readers of each form.
 */
export async function readRelease(place: string, side: ReleaseSide): Promise<Release> {
  const name = path.resolve(place).split(path.sep).slice(-2).join("/");
  const isFolder = (await kindOf(place)) === "folder";
  const files = isFolder ? await questionFiles(place) : [place];
  const rows: ReleaseRow[] = [];
  const read = await Promise.all(files.map(async (file) => ({ file, fields: await fieldsOf(file) })));
  const filled = read
    .map(({ file, fields }) => ({ file, rows: rowsOf(fields, side) }))
    .filter((one) => one.rows.length > 0);
  for (const { file, rows: found } of filled) {
    const stem = path.parse(file).name;
    for (const row of found) {
      const id = row.id === null || filled.length === 1 ? row.id : `${stem}/${row.id}`;
      rows.push({ ...row, id, position: rows.length });
    }
  }
  if (rows.length === 0) {
    throw new GradusError(
      "RELEASE_EMPTY",
      `${place} has no questions: expected ${isFolder ? "a questions file in it" : "rows with a column called question"}`,
      {
        site: { file: place },
        hint: "columns are known by name: question, SQL or query, evidence, db_id, question_id",
      },
    );
  }
  return { name, rows, databaseFolders: isFolder ? await databaseFolders(place) : [] };
}

async function questionFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await listFolder(folder)) {
    const found = path.join(folder, entry);
    if ((await kindOf(found)) === "file") files.push(found);
    else if (!DATABASE_FOLDER.test(entry)) {
      for (const inner of await listFolder(found)) files.push(path.join(found, inner));
    }
  }
  return files.filter((file) => QUESTION_FILE.test(file) && !TABLE_FILE.test(path.basename(file)));
}

async function databaseFolders(folder: string): Promise<string[]> {
  const found = (await listFolder(folder)).filter((entry) => DATABASE_FOLDER.test(entry));
  return [...found.map((entry) => path.join(folder, entry)), folder];
}

/** The objects of a file in their order, dialogues taken apart into turns. */
async function fieldsOf(file: string): Promise<Readonly<Record<string, unknown>>[]> {
  if (/\.csv$/i.test(file)) return tableFields(file);
  const fields: Readonly<Record<string, unknown>>[] = [];
  for await (const { value, index } of readJsonRows(file)) {
    if (!isObject(value)) continue;
    fields.push(...(dialogueFieldsOf(value, index) ?? [value]));
  }
  return fields;
}

async function tableFields(file: string): Promise<Record<string, unknown>[]> {
  const { rows } = await readCsv(file);
  const [head = [], ...body] = rows;
  const names = head.map((name) => name.replace(/^\uFEFF/, ""));
  return body.map((cells) => Object.fromEntries(names.map((name, column) => [name, cells[column] ?? ""])));
}

function rowsOf(fields: readonly Readonly<Record<string, unknown>>[], side: ReleaseSide): ReleaseRow[] {
  return fields.flatMap((one, position) => releaseRowOf(one, position, side) ?? []).filter(isAsked);
}

function isAsked(row: ReleaseRow): boolean {
  return row.question.trim() !== "";
}
