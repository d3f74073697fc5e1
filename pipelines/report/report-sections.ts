import type { NumberForm } from "./shown-number.ts";
import type { PlotDrawing } from "./draw-svg.ts";

/** A number of the document at a JSON pointer (RFC 6901). */
export interface NumberCell {
  readonly at: string;
  readonly value: number | null;
  readonly form: NumberForm;
}

/** What stands in a cell or a sentence: text, a number of the document, or several of them. */
export type Cell = string | NumberCell | readonly (string | NumberCell)[];

/** A table with one heading a column. */
export interface ReportTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Colours by name, as a plot uses them. */
export type Legend = readonly { readonly name: string; readonly colour: string }[];

/** A table, alone or behind its plot. */
export interface ReportFigure {
  readonly id: string;
  readonly title: string;
  /** A sentence below the title: how to read it. */
  readonly note: string;
  /** What the plot shows, for those who do not see it. */
  readonly description: string;
  readonly plot: PlotDrawing | null;
  readonly legend: Legend;
  readonly table: ReportTable;
}

/** A part of the page. */
export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly lead: Cell;
  readonly figures: readonly ReportFigure[];
}

/** The number of `document` at the path of keys and indices `steps`. */
export function numberAt(
  document: unknown,
  steps: readonly (string | number)[],
  form: NumberForm,
): NumberCell {
  let value: unknown = document;
  for (const step of steps) value = (value as Record<string | number, unknown> | undefined)?.[step];
  const at = steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { at, value: typeof value === "number" ? value : null, form };
}

/** Whether a cell is one number. */
export function isNumberCell(cell: Cell | undefined): cell is NumberCell {
  return typeof cell === "object" && "form" in cell;
}

/** A cell as the parts that it is shown from, in order. */
export function cellParts(cell: Cell): readonly (string | NumberCell)[] {
  return typeof cell === "string" || isNumberCell(cell) ? [cell] : cell;
}
