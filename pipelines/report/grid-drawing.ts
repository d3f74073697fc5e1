import * as Plot from "@observablehq/plot";
import { oneLineText } from "../../synth/one-line-text.ts";
import type { PlotDrawing } from "./draw-svg.ts";
import { leftMargin, MUTED, plotLabel } from "./plot-style.ts";
import { showNumber } from "./shown-number.ts";

/** A grid of counts; the more, the deeper the colour. */
export function gridDrawing(
  columns: readonly string[],
  rows: readonly { readonly name: string; readonly counts: readonly number[] }[],
): PlotDrawing {
  const cells = rows.flatMap(({ name, counts }) =>
    counts.map((count, index) => ({ name, column: columns[index] ?? "", count })),
  );
  const most = Math.max(...cells.map(({ count }) => count), 1);
  return (width) => ({
    height: rows.length * 38 + 44,
    marginLeft: leftMargin(
      rows.map(({ name }) => name),
      width,
    ),
    marginRight: 4,
    marginTop: 38,
    marginBottom: 4,
    x: { domain: [...columns], axis: null, padding: 0.04 },
    y: { domain: rows.map(({ name }) => name), axis: null, padding: 0.06 },
    marks: [
      Plot.axisX({
        anchor: "top",
        tickSize: 0,
        label: null,
        color: MUTED,
        lineWidth: width < 500 ? 4 : 9,
        tickFormat: (name: string) => oneLineText(name),
      }),
      Plot.axisY({
        tickSize: 0,
        tickPadding: 8,
        label: null,
        tickFormat: (name: string) => plotLabel(name, width),
      }),
      Plot.cell(cells, { x: "column", y: "name", fill: "var(--track)", rx: 3 }),
      Plot.cell(cells, {
        x: "column",
        y: "name",
        fill: "var(--accent)",
        fillOpacity: (cell: { count: number }) => (cell.count / most) * 0.5,
        rx: 3,
      }),
      Plot.text(
        cells.filter(({ count }) => count > 0),
        {
          x: "column",
          y: "name",
          text: (cell: { count: number }) => showNumber(cell.count, "count"),
        },
      ),
    ],
    opacity: { type: "identity" },
  });
}
