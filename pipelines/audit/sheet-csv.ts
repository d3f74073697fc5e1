import { GradusError } from "../../core/errors.ts";
import { readCsv } from "../../io/csv.ts";
import { SHEET_COLUMNS, type SheetColumn, type SheetRow } from "./review-sheet.ts";

/** What a spreadsheet takes for the beginning of a formula, and the sign that guards against it. */
const GUARDED = /^['=+\-@\t\r\n＝＋－＠]/;
const GUARD = "'";

/** A sheet as CSV that spreadsheets show as text: no cell is a formula. {@link readSheetCsv} gives back every cell. */
export function sheetCsv(rows: readonly SheetRow[]): string {
  const lines = [
    SHEET_COLUMNS.join(","),
    ...rows.map((row) => SHEET_COLUMNS.map((column) => cell(row[column])).join(",")),
  ];
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

function cell(text: string): string {
  const guarded = GUARDED.test(text) ? `${GUARD}${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/**
 * Reads a sheet back; columns may stand in another order, and other columns are passed over.
 * @throws SHEET_MALFORMED for a file without the columns that name a question; CSV_MALFORMED.
 */
export async function readSheetCsv(file: string): Promise<SheetRow[]> {
  const { rows } = await readCsv(file);
  const [head = [], ...body] = rows;
  const places = new Map(head.map((name, place) => [name.replace(/^\uFEFF/, "").trim(), place]));
  const missing = (["dataset", "split", "source_id", "decision"] as const).filter(
    (name) => !places.has(name),
  );
  if (missing.length > 0) {
    throw new GradusError(
      "SHEET_MALFORMED",
      `${file} is no review sheet: it has no column ${missing.join(", ")}`,
      {
        site: { file, line: 1 },
        hint: "gradus audit export --to csv writes one",
      },
    );
  }
  return body.map((cells) => {
    const value = (column: SheetColumn): string => unguarded(cells[places.get(column) ?? -1] ?? "");
    return Object.fromEntries(SHEET_COLUMNS.map((column) => [column, value(column)])) as SheetRow;
  });
}

function unguarded(text: string): string {
  return text.startsWith(GUARD) && GUARDED.test(text.slice(1)) ? text.slice(1) : text;
}
