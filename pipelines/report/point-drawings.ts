import * as Plot from "@observablehq/plot";
import type { PlotDrawing } from "./draw-svg.ts";
import { GRID, leftMargin, MUTED, plotLabel } from "./plot-style.ts";
import { showNumber } from "./shown-number.ts";

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
    marks: whiskerMarks(rows, width),
  });
}

function whiskerMarks(rows: readonly Whisker[], width: number): Plot.Markish[] {
  const ticks = width < 500 ? 5 : 10;
  return [
    Plot.axisX({
      anchor: "top",
      tickSize: 0,
      label: null,
      ticks,
      color: MUTED,
      facetAnchor: "top",
      tickFormat: (tick: number) => `${tick}`,
    }),
    Plot.gridX({ ...GRID, ticks }),
    Plot.axisFy({
      anchor: "left",
      tickSize: 0,
      label: null,
      tickPadding: 10,
      tickFormat: (name: string) => plotLabel(name, width),
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
  ];
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
