import { expect, it } from "vitest";
import { barsDrawing, histogramDrawing, stacksDrawing } from "../../../pipelines/report/bar-drawings.ts";
import { drawSvg, type PlotDrawing } from "../../../pipelines/report/draw-svg.ts";

function draw(drawing: PlotDrawing, width = 400): string {
  return drawSvg(drawing, width, { id: "p", title: "t", description: "d" });
}

function widthsOf(svg: string, colour: string): number[] {
  const rects = svg.match(new RegExp(`<(rect|path)[^>]*${colour}[^>]*>`, "g")) ?? [];
  return rects.map((rect) => Number(/ width="([\d.]+)"/.exec(rect)?.[1]));
}

it("draws bars as long as their share of the most", () => {
  const bars = [
    { name: "a", value: 50, colour: "var(--one)" },
    { name: "b", value: 25, colour: "var(--two)" },
  ];
  const svg = draw(barsDrawing(bars, 100, "count"));
  const [one] = widthsOf(svg, "--one");
  const [two] = widthsOf(svg, "--two");
  expect(one).toBeCloseTo((two ?? 0) * 2, 5);
  expect(svg).toContain(">50</text>");
});

it("draws a panel for each histogram", () => {
  const bins = [
    { label: "0/1", count: 3 },
    { label: "1/1", count: 1200 },
  ];
  const panels = ["first", "second"].map((name) => ({ name, colour: `var(--${name})`, bins }));
  const svg = draw(histogramDrawing(panels));
  for (const text of ["first", "second", "0/1", "1,200"]) expect(svg).toContain(`>${text}</text>`);
});

it("puts the parts of a bar side by side", () => {
  const parts = [
    { bar: "level 0", part: "easy", count: 3, colour: "var(--one)" },
    { bar: "level 0", part: "hard", count: 1, colour: "var(--two)" },
  ];
  const svg = draw(stacksDrawing(parts));
  expect(widthsOf(svg, "--one")[0]).toBeGreaterThan(widthsOf(svg, "--two")[0] ?? 0);
  expect(svg).toContain(">level 0</text>");
});
