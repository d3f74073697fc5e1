import { SHEET_COLUMNS, type SheetRow } from "../../../pipelines/audit/review-sheet.ts";

/** A row of a sheet, empty but for `cells`. */
export function sheetRow(cells: Partial<SheetRow>): SheetRow {
  return { ...(Object.fromEntries(SHEET_COLUMNS.map((column) => [column, ""])) as SheetRow), ...cells };
}

/** Texts that a careless sheet loses, runs or breaks at. */
export const HOSTILE = [
  '=HYPERLINK("http://x","y")',
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1",
  "'=1",
  "''",
  "'quoted'",
  'a "b", c',
  "two\nlines",
  "two\r\nlines",
  " spaced ",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<!--",
  "&lt;",
  "\u2028\u2029",
  "日本語 😀",
];
