import { expect, it } from "vitest";
import { drawSvg } from "../../../pipelines/report/draw-svg.ts";
import { funnelDrawing } from "../../../pipelines/report/funnel-drawing.ts";

it("draws parts below their total, each with its number", () => {
  const bars = [
    { name: "questions", value: 4, colour: "c", isHead: true, share: 0 },
    { name: "kept", value: 3, colour: "var(--kept)", isHead: false, share: 0.75 },
    { name: "answers", value: 1234, colour: "c", isHead: true, share: 0 },
  ];
  const svg = drawSvg(funnelDrawing(bars), 500, { id: "p", title: "t", description: "d" });
  for (const text of ["questions", "4", "kept", "3", "answers", "1,234"])
    expect(svg).toContain(`>${text}</text>`);
  const widthOf = (colour: string): number =>
    Number(
      new RegExp(` width="([\\d.]+)"`).exec(
        new RegExp(`<rect[^>]*${colour}[^>]*>`).exec(svg)?.[0] ?? "",
      )?.[1],
    );
  expect(svg).toContain("var(--kept)");
  expect(widthOf("--kept")).toBeGreaterThan(100);
});
