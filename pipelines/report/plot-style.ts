import { oneLineText, shortenText } from "../../synth/one-line-text.ts";

/** Colours of unordered things, by their place; a seventh begins anew. */
export function seriesColour(place: number): string {
  return `var(--series-${(place % 6) + 1})`;
}

/** Colours of things from little to much, by their place among `count`. */
export function rampColour(place: number, count: number): string {
  const step = count <= 1 ? 1 : Math.round((place * 4) / (count - 1)) + 1;
  return `var(--ramp-${step})`;
}

/** Pixels of a character, on average. */
const CHARACTER = 7.1;
/** Of what is there to be looked up, not read. */
export const MUTED = "var(--muted)";
/** Options of grid lines. */
export const GRID = { stroke: "var(--rule)", strokeOpacity: 1 };

/** A name as it fits beside a plot: on one line, shortened to a part of the width. */
export function plotLabel(text: string, width: number): string {
  return shortenText(oneLineText(text), Math.max(8, Math.floor((width * 0.36) / CHARACTER)));
}

/** Pixels that names beside a plot need. */
export function leftMargin(names: readonly string[], width: number): number {
  return Math.ceil(Math.max(...names.map((name) => plotLabel(name, width).length), 3) * CHARACTER) + 14;
}
