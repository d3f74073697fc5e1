import { GradusError, messageOf } from "../../core/errors.ts";
import { definePredictionFormat } from "../../core/prediction-format.ts";
import type { PredictionRow } from "../../core/prediction-format.ts";
import { readCsv } from "../../io/csv.ts";
import type { CsvFile } from "../../io/csv.ts";
import { emptyRow, malformed } from "../prediction-fields.ts";

const SQL_COLUMNS = ["predicted sql", "predicted_sql", "prediction", "pred", "sql"];
const QUESTION_COLUMNS = ["nlq", "question"];
const DATABASE_COLUMNS = ["database", "db_id", "database_id"];

/**
 * Comma-separated values with a header, joined by position. Columns are found by name in any case; a gold
 * column is not read. Empty lines are no rows. Lines in errors count as if there were none.
 */
export default definePredictionFormat({
  id: "csv",
  version: 1,
  recognises: (fileName) => /\.csv$/i.test(fileName),
  async *read(path) {
    const [names, ...rows] = (await readTable(path)).rows;
    if (names === undefined)
      throw malformed(path, 1, "is missing, expected a header such as question,sql,db_id");
    const header = headerOf(path, names);
    let line = 1 + lineBreaks(names);
    for (const [position, cells] of rows.entries()) {
      line += 1;
      if (cells.length !== names.length) {
        throw malformed(path, line, `has ${cells.length} values, expected ${names.length} as in the header`);
      }
      yield rowOf(header, cells, position);
      line += lineBreaks(cells);
    }
  },
});

async function readTable(file: string): Promise<CsvFile> {
  try {
    return await readCsv(file);
  } catch (thrown) {
    if (!(thrown instanceof GradusError) || thrown.code !== "CSV_MALFORMED") throw thrown;
    throw malformed(file, lineOf(thrown.cause), `is no CSV (${messageOf(thrown.cause)})`, thrown);
  }
}

interface Header {
  readonly sql: number;
  readonly question: number;
  readonly database: number;
}

function headerOf(file: string, cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const place = (wanted: readonly string[]): number =>
    names.indexOf(wanted.find((name) => names.includes(name)) ?? "\0");
  const sql = place(SQL_COLUMNS);
  if (sql === -1) {
    const expected = `expected one of ${SQL_COLUMNS.join(", ")}`;
    throw malformed(file, 1, `names no column of answers: got ${cells.join(", ")}, ${expected}`);
  }
  return { sql, question: place(QUESTION_COLUMNS), database: place(DATABASE_COLUMNS) };
}

function rowOf(header: Header, cells: readonly string[], position: number): PredictionRow {
  return {
    ...emptyRow(position),
    sql: cells[header.sql] ?? null,
    question: cells[header.question] ?? null,
    databaseId: cells[header.database]?.trim() ?? null,
  };
}

function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
}

/** The line that the CSV reader stopped at. */
function lineOf(thrown: unknown): number {
  const hasLines = typeof thrown === "object" && thrown !== null && "lines" in thrown;
  return hasLines && typeof thrown.lines === "number" ? thrown.lines : 1;
}
