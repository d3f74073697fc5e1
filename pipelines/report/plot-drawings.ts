import * as Plot from "@observablehq/plot";
import { oneLineText, shortenText } from "../../synth/one-line-text.ts";
import type { PlotDrawing } from "./draw-svg.ts";
import { type NumberForm, showNumber } from "./shown-number.ts";

/** Colours of unordered things, by their place; a seventh begins anew. */
export function seriesColour(place: number): string {
  return `var(--series-${(place % 6) + 1})`;
}

/** Colours of things from little to much, by their place among `count`. */
export function rampColour(place: number, count: number): string {
  const step = count <= 1 ? 1 : Math.round((place * 4) / (count - 1)) + 1;
  return `var(--ramp-${step})`;
}

/** A bar with a name. */
export interface NamedBar {
  readonly name: string;
  readonly value: number;
  readonly colour: string;
}

const CHARACTER = 7.1;
const MUTED = "var(--muted)";
const GRID = { stroke: "var(--rule)", strokeOpacity: 1 };

function label(text: string, width: number): string {
  return shortenText(oneLineText(text), Math.max(8, Math.floor((width * 0.36) / CHARACTER)));
}

function leftMargin(names: readonly string[], width: number): number {
  return Math.ceil(Math.max(...names.map((name) => label(name, width).length), 3) * CHARACTER) + 14;
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
        tickFormat: (name: string) => label(name, width),
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
          text: (bar: FunnelBar) => label(bar.name, width),
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

/** A share of 1 with its interval, of a system in a group. */
export interface Whisker {
  readonly group: string;
  readonly system: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly colour: string;
}

/** A dot and an interval for each system, group by group. */
export function whiskersDrawing(whiskers: readonly Whisker[]): PlotDrawing {
  const groups = [...new Set(whiskers.map(({ group }) => group))];
  const systems = [...new Set(whiskers.map(({ system }) => system))];
  const rows = whiskers.map((row) => ({
    ...row,
    low: row.low * 100,
    high: row.high * 100,
    mean: row.mean * 100,
  }));
  return (width) => ({
    height: groups.length * (systems.length * 14 + 12) + 48,
    marginLeft: leftMargin(groups, width),
    marginRight: 52,
    marginTop: 24,
    marginBottom: 24,
    x: { domain: [0, 100], axis: null },
    y: { domain: systems, axis: null, padding: 0.4 },
    fy: { domain: groups, axis: null, padding: 0.18 },
    marks: [
      Plot.axisX({
        anchor: "top",
        tickSize: 0,
        label: null,
        ticks: width < 500 ? 5 : 10,
        color: MUTED,
        facetAnchor: "top",
        tickFormat: (tick: number) => `${tick}`,
      }),
      Plot.gridX({ ...GRID, ticks: width < 500 ? 5 : 10 }),
      Plot.axisFy({
        anchor: "left",
        tickSize: 0,
        label: null,
        tickPadding: 10,
        tickFormat: (name: string) => label(name, width),
      }),
      Plot.ruleY(rows, {
        x1: "low",
        x2: "high",
        y: "system",
        fy: "group",
        stroke: "colour",
        strokeWidth: 2,
        strokeOpacity: 0.55,
        strokeLinecap: "round",
      }),
      Plot.dot(rows, {
        x: "mean",
        y: "system",
        fy: "group",
        fill: "colour",
        r: 4.2,
        stroke: "var(--paper)",
        strokeWidth: 1,
      }),
      Plot.text(rows, {
        x: 100,
        y: "system",
        fy: "group",
        text: (row: { mean: number }) => showNumber(row.mean / 100, "percent"),
        textAnchor: "start",
        dx: 16,
        fill: "colour",
      }),
    ],
  });
}

/** Upright bars in their order, one panel for each name, with a number on top. */
export function histogramDrawing(
  panels: readonly {
    readonly name: string;
    readonly colour: string;
    readonly bins: readonly { readonly label: string; readonly count: number }[];
  }[],
): PlotDrawing {
  const rows = panels.flatMap(({ name, colour, bins }) => bins.map((bin) => ({ ...bin, name, colour })));
  const labels = [...new Set(rows.map((row) => row.label))];
  const most = Math.max(...rows.map(({ count }) => count), 1);
  const isFew = labels.length <= 11;
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
      ...(isFew
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
                text: (panel: { name: string }) => label(panel.name, width * 2),
                frameAnchor: "top-left",
                fontWeight: "600",
              },
            ),
          ]
        : []),
    ],
  });
}

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
        tickFormat: (name: string) => label(name, width),
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
        tickFormat: (name: string) => label(name, width),
      }),
      Plot.barX(parts, { x: "count", y: "bar", fill: "colour", order: null, insetRight: 1 }),
    ],
  });
}

/** A system's accuracy at its cost. */
export interface CostPoint {
  readonly system: string;
  readonly cost: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly colour: string;
}

/** Accuracy against cost, with intervals. */
export function costDrawing(points: readonly CostPoint[], costLabel: string): PlotDrawing {
  const rows = points.map((row) => ({
    ...row,
    low: row.low * 100,
    high: row.high * 100,
    mean: row.mean * 100,
  }));
  const most = Math.max(...points.map(({ cost }) => cost), Number.MIN_VALUE);
  return (width) => ({
    height: 300,
    marginLeft: 36,
    marginRight: 20,
    marginTop: 28,
    marginBottom: 40,
    x: { domain: [0, most * 1.18], axis: null },
    y: { domain: [0, 100], axis: null },
    marks: [
      Plot.axisX({
        tickSize: 0,
        color: MUTED,
        label: costLabel,
        labelArrow: "none",
        labelAnchor: "right",
        ticks: width < 500 ? 4 : 8,
      }),
      Plot.axisY({ tickSize: 0, color: MUTED, label: "accuracy, %", labelArrow: "none", ticks: 5 }),
      Plot.gridY({ ...GRID, ticks: 5 }),
      Plot.ruleX(rows, {
        x: "cost",
        y1: "low",
        y2: "high",
        stroke: "colour",
        strokeWidth: 2,
        strokeOpacity: 0.55,
        strokeLinecap: "round",
      }),
      Plot.dot(rows, { x: "cost", y: "mean", fill: "colour", r: 5, stroke: "var(--paper)" }),
    ],
  });
}
