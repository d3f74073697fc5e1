import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { renderHtml } from "../../../pipelines/report/render-html.ts";
import { sectionsOf } from "../../../pipelines/report/write-report.ts";
import { DOCUMENT } from "./sample-document.ts";

const html = renderHtml(DOCUMENT, sectionsOf(DOCUMENT));

it("lets no text become markup", () => {
  expect(html).not.toMatch(/<script|\u202E/);
  expect(html).toContain("<h1>&lt;script&gt;");
});

it("shows every number with its place in the document", () => {
  const { document } = parseHTML(html);
  const numbers = [...document.querySelectorAll("[data-at]")];
  for (const element of numbers) {
    const steps = String(element.getAttribute("data-at")).split("/").slice(1);
    const value = steps.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], DOCUMENT);
    expect(element.getAttribute("data-value")).toBe(String(value));
  }
  expect(numbers.length).toBeGreaterThan(50);
});

it("warns of simulated answers, and only then", () => {
  expect(html).toContain("come from a simulated model");
  const real = {
    ...DOCUMENT,
    sets: DOCUMENT.sets.map((set) => ({ ...set, simulated: 0, simulatedShare: 0 })),
  };
  expect(renderHtml(real, sectionsOf(real))).not.toContain("come from a simulated model");
});

it("is a whole page for a run without anything", () => {
  const empty = {
    ...DOCUMENT,
    funnel: [],
    sets: [],
    passRates: null,
    curriculum: null,
    rounds: null,
    rewards: [],
    evaluation: [],
    rollouts: [],
  };
  const { document } = parseHTML(renderHtml(empty, sectionsOf(empty)));
  expect([...document.querySelectorAll("section")].map(({ id }) => id)).toEqual(["recipe"]);
});
