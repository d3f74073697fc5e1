import { expect, it } from "vitest";
import * as Plot from "@observablehq/plot";
import { drawSvg, type PlotDrawing } from "../../../pipelines/report/draw-svg.ts";
import { HOSTILE } from "./sample-document.ts";

const DRAWING: PlotDrawing = () => ({
  height: 40,
  marks: [Plot.text([{ name: HOSTILE }], { frameAnchor: "left", text: "name" })],
});

it("is one image with its words, without styles, and the same every time", () => {
  const words = { id: "p", title: HOSTILE, description: "All of it." };
  const svg = drawSvg(DRAWING, 200, words);
  expect(svg).toMatch(/^<svg [^>]*role="img"/);
  expect(svg).toContain('aria-labelledby="p-title p-description"');
  expect(svg).toContain('<desc id="p-description">All of it.</desc>');
  expect(svg).toContain("&lt;script&gt;");
  expect(svg).not.toMatch(/<script|<style|style=|class="plot|\u202E.*<\/title>/);
  expect(drawSvg(DRAWING, 200, words)).toBe(svg);
});
