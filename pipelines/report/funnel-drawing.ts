import * as Plot from "@observablehq/plot";
import type { NamedBar } from "./bar-drawings.ts";
import type { PlotDrawing } from "./draw-svg.ts";
import { leftMargin, plotLabel } from "./plot-style.ts";
import { showNumber } from "./shown-number.ts";

/** A line of a funnel; a head is the total that the lines after it are parts of. */
export interface FunnelBar extends NamedBar {
  readonly isHead: boolean;
  /** Of its total, 0 to 1. */
  readonly share: number;
}

/** Totals, and below each its parts as bars of it. */
export function funnelDrawing(bars: readonly FunnelBar[]): PlotDrawing {
  const rows = bars.map((bar, index) => ({ ...bar, row: index }));
  const parts = rows.filter(({ isHead }) => !isHead);
  const heads = rows.filter(({ isHead }) => isHead);
  return (width) => ({
    height: placeOf(bars, bars.length) + 4,
    marginLeft: leftMargin(
      bars.map(({ name }) => name),
      width,
    ),
    marginRight: 56,
    marginTop: 0,
    marginBottom: 4,
    x: { axis: null, domain: [0, 1] },
    y: { axis: null, domain: [0, placeOf(bars, bars.length)], reverse: true },
    marks: [
      Plot.rect(parts, { x1: 0, x2: 1, ...barEnds(bars), fill: "var(--track)", rx: 2 }),
      Plot.rect(parts, { x1: 0, x2: "share", ...barEnds(bars), fill: "colour", rx: 2 }),
      ...[heads, parts].flatMap((lines, kind) => [
        Plot.text(lines, {
          x: 0,
          y: (bar: { row: number }) => placeOf(bars, bar.row) + 9,
          text: (bar: FunnelBar) => plotLabel(bar.name, width),
          textAnchor: "end",
          dx: -8,
          fontWeight: kind === 0 ? "600" : "400",
        }),
        Plot.text(lines, {
          x: 1,
          y: (bar: { row: number }) => placeOf(bars, bar.row) + 9,
          text: (bar: FunnelBar) => showNumber(bar.value, "count"),
          textAnchor: "start",
          dx: 8,
          fontWeight: kind === 0 ? "600" : "400",
        }),
      ]),
    ],
  });
}

/** Pixels above a row of a funnel: heads stand apart from what is before them. */
function placeOf(bars: readonly FunnelBar[], row: number): number {
  const heads = bars.slice(0, row + 1).filter(({ isHead }) => isHead).length;
  return row * 24 + Math.max(0, heads - 1) * 16;
}

function barEnds(bars: readonly FunnelBar[]): {
  y1: (bar: { row: number }) => number;
  y2: (bar: { row: number }) => number;
} {
  return { y1: ({ row }) => placeOf(bars, row), y2: ({ row }) => placeOf(bars, row) + 17 };
}
