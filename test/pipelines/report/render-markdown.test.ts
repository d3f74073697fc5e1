import { expect, it } from "vitest";
import { renderMarkdown } from "../../../pipelines/report/render-markdown.ts";
import { sectionsOf } from "../../../pipelines/report/write-report.ts";
import { DOCUMENT } from "./sample-document.ts";

const markdown = renderMarkdown(DOCUMENT, sectionsOf(DOCUMENT));

it("has the tables of the page", () => {
  expect(markdown).toContain(
    "|  | count | share, % |\n| --- | ---: | ---: |\n| questions | 4 | – |\n| – gold error | 1 | 25.0 |",
  );
  expect(markdown).toContain("**2 of 8 answers come from a simulated model**");
  expect(markdown).toContain("| 75.0 | 20.0 – 90.0 |");
});

it("lets no text become HTML outside of code", () => {
  const outside = markdown.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "");
  expect(outside).not.toContain("<script");
  expect(markdown).not.toContain("\u202E");
});
