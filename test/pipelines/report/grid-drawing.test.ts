import { expect, it } from "vitest";
import { drawSvg } from "../../../pipelines/report/draw-svg.ts";
import { gridDrawing } from "../../../pipelines/report/grid-drawing.ts";

it("colours a cell by its count, and leaves nought without a number", () => {
  const rows = [{ name: "easy", counts: [0, 12] }];
  const svg = drawSvg(gridDrawing(["never", "always"], rows), 400, { id: "p", title: "t", description: "d" });
  expect(svg).toContain(">12</text>");
  expect(svg).not.toContain(">0</text>");
  expect(svg).toContain('fill-opacity="0.5"');
  expect(svg).toContain('fill-opacity="0"');
});
