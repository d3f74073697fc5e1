import * as Plot from "@observablehq/plot";
import type { PlotDrawing } from "./draw-svg.ts";
import { GRID, leftMargin, MUTED, plotLabel } from "./plot-style.ts";
import { type NumberForm, showNumber } from "./shown-number.ts";

/** A bar with a name. */
export interface NamedBar {
  readonly name: string;
  readonly value: number;
  readonly colour: string;
}

/** Horizontal bars from nought to `most`, each with its number behind it. */
export function barsDrawing(bars: readonly NamedBar[], most: number, form: NumberForm): PlotDrawing {
  return (width) => ({
    height: bars.length * 26 + 8,
    marginLeft: leftMargin(
      bars.map(({ name }) => name),
      width,
    ),
    marginRight: 64,
    marginTop: 2,
    marginBottom: 4,
    x: { axis: null, domain: [0, Math.max(most, Number.MIN_VALUE)] },
    y: { axis: null, domain: bars.map(({ name }) => name), padding: 0.28 },
    marks: [
      Plot.axisY({
        tickSize: 0,
        tickPadding: 8,
        label: null,
        tickFormat: (name: string) => plotLabel(name, width),
      }),
      Plot.barX(bars, { x: () => most, y: "name", fill: "var(--track)", rx: 2 }),
      Plot.barX(bars, { x: "value", y: "name", fill: "colour", rx: 2 }),
      Plot.text(bars, {
        x: () => most,
        y: "name",
        text: (bar: NamedBar) => showNumber(bar.value, form),
        textAnchor: "start",
        dx: 8,
      }),
    ],
  });
}

/** A histogram of its own colour. */
export interface HistogramPanel {
  readonly name: string;
  readonly colour: string;
  readonly bins: readonly { readonly label: string; readonly count: number }[];
}

/** Upright bars in their order, one panel for each name, with a number on top. */
export function histogramDrawing(panels: readonly HistogramPanel[]): PlotDrawing {
  const rows = panels.flatMap(({ name, colour, bins }) => bins.map((bin) => ({ ...bin, name, colour })));
  const labels = [...new Set(rows.map((row) => row.label))];
  const most = Math.max(...rows.map(({ count }) => count), 1);
  return (width) => ({
    height: panels.length * 150 + 40,
    marginLeft: 0,
    marginRight: 0,
    marginTop: 8,
    marginBottom: 28,
    x: { domain: labels, axis: null, padding: 0.14 },
    y: { domain: [0, most * 1.32], axis: null },
    fy: { domain: panels.map(({ name }) => name), axis: null, padding: 0.08 },
    marks: [
      Plot.axisX({
        tickSize: 0,
        label: null,
        color: MUTED,
        tickFormat: (name: string, index: number) =>
          width < 500 && labels.length > 6 && index % 2 === 1 ? "" : name,
      }),
      Plot.ruleY([0], { stroke: "var(--rule)" }),
      Plot.barY(rows, { x: "label", y: "count", fy: "name", fill: "colour", rx: 2 }),
      ...(width / labels.length >= 30
        ? [
            Plot.text(
              rows.filter(({ count }) => count > 0),
              {
                x: "label",
                y: "count",
                fy: "name",
                text: (row: { count: number }) => showNumber(row.count, "count"),
                dy: -8,
                fill: MUTED,
              },
            ),
          ]
        : []),
      ...(panels.length > 1
        ? [
            Plot.text(
              panels.map(({ name }) => ({ name })),
              {
                fy: "name",
                text: (panel: { name: string }) => plotLabel(panel.name, width * 2),
                frameAnchor: "top-left",
                fontWeight: "600",
              },
            ),
          ]
        : []),
    ],
  });
}

/** A part of a bar. */
export interface StackedPart {
  readonly bar: string;
  readonly part: string;
  readonly count: number;
  readonly colour: string;
}

/** Horizontal bars in parts. */
export function stacksDrawing(parts: readonly StackedPart[]): PlotDrawing {
  const bars = [...new Set(parts.map(({ bar }) => bar))];
  return (width) => ({
    height: bars.length * 34 + 30,
    marginLeft: leftMargin(bars, width),
    marginRight: 20,
    marginTop: 4,
    marginBottom: 24,
    x: { axis: null },
    y: { domain: bars, axis: null, padding: 0.24 },
    marks: [
      Plot.axisX({ tickSize: 0, label: null, color: MUTED, ticks: width < 500 ? 4 : 8 }),
      Plot.gridX(GRID),
      Plot.axisY({
        tickSize: 0,
        tickPadding: 8,
        label: null,
        tickFormat: (name: string) => plotLabel(name, width),
      }),
      Plot.barX(parts, { x: "count", y: "bar", fill: "colour", order: null, insetRight: 1 }),
    ],
  });
}
