import { expect, it } from "vitest";
import { drawSvg } from "../../../pipelines/report/draw-svg.ts";
import { costDrawing, whiskersDrawing } from "../../../pipelines/report/point-drawings.ts";

const WORDS = { id: "p", title: "t", description: "d" };

it("draws a dot, its interval and its number for each system of a group", () => {
  const figures = { mean: 0.581, low: 0.4, high: 0.7 };
  const whiskers = ["a", "b"].map((system) => ({
    group: "easy",
    system,
    ...figures,
    colour: `var(--${system})`,
  }));
  const svg = drawSvg(whiskersDrawing(whiskers), 500, WORDS);
  expect(svg.match(/<circle/g)).toHaveLength(2);
  expect(svg.match(/>58\.1<\/text>/g)).toHaveLength(2);
  expect(svg).toContain(">easy</text>");
});

it("draws accuracy against cost, from nought", () => {
  const point = { system: "a", cost: 1000, mean: 0.5, low: 0.4, high: 0.6, colour: "var(--a)" };
  const svg = drawSvg(costDrawing([point], "tokens an answer"), 500, WORDS);
  expect(svg.match(/<circle/g)).toHaveLength(1);
  for (const text of ["tokens an answer", "accuracy, %", "0", "100"])
    expect(svg).toContain(`>${text}</text>`);
});
