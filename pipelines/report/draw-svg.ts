import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { oneLineText } from "../../synth/one-line-text.ts";

/** Draws a plot at a width in pixels. */
export type PlotDrawing = (width: number) => Plot.PlotOptions;

/** Ids and words of a drawing. */
export interface DrawingWords {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** Pixels; plots are laid out for it and not scaled. */
const FONT_SIZE = "12";

/**
 * A plot as SVG for a page that allows no style in attributes or elements: one image with a title and a description.
 * The same drawing gives the same bytes.
 */
export function drawSvg(
  drawing: PlotDrawing,
  width: number,
  { id, title, description }: DrawingWords,
): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const drawn = Plot.plot({ ...drawing(width), width, document }) as unknown as SvgNode;
  for (const style of drawn.querySelectorAll("style")) style.remove();
  for (const group of drawn.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
  for (const part of drawn.querySelectorAll("g[aria-hidden]")) part.removeAttribute("aria-hidden");
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    role: "img",
    "aria-labelledby": `${id}-title ${id}-description`,
    "font-size": FONT_SIZE,
  };
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
  for (const name of ["class", "font-family"]) drawn.removeAttribute(name);
  for (const [name, text] of [
    ["description", description],
    ["title", title],
  ] as const) {
    const element = (document as unknown as SvgDocument).createElementNS(
      "http://www.w3.org/2000/svg",
      name === "title" ? "title" : "desc",
    );
    element.setAttribute("id", `${id}-${name}`);
    element.textContent = oneLineText(text);
    drawn.insertBefore(element, drawn.firstChild);
  }
  return drawn.outerHTML;
}

/** What is used of an element, whichever library's document it is in. */
interface SvgNode {
  textContent: string | null;
  readonly outerHTML: string;
  readonly firstChild: unknown;
  querySelectorAll(selector: string): Iterable<SvgNode>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  insertBefore(child: unknown, before: unknown): void;
  remove(): void;
}

interface SvgDocument {
  createElementNS(space: string, name: string): SvgNode;
}
