import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderHtml } from "../../pipelines/report/render-html.ts";
import { sectionsOf } from "../../pipelines/report/write-report.ts";
import { openFile, seriousFindings } from "../browser/checked-page.ts";
import { describeWithChromium, startChromium } from "../browser/chromium.ts";
import { DOCUMENT } from "../pipelines/report/sample-document.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { digestsBelow, portRows } from "./raw-run.ts";

const CONFIG = path.join(PROJECT_ROOT, "configs/quickstart.yaml");

let cwd: string;
let folder: string;
let html: string;
let json: Record<string, unknown>;

beforeAll(async () => {
  cwd = await temporaryFolder();
  const made = await runGradus(["run", CONFIG, "--quiet"], { cwd });
  expect(made.status, made.stderr).toBe(0);
  const reported = await runGradus(["report", "quickstart"], { cwd });
  expect(reported.status, reported.stderr).toBe(0);
  folder = path.join(cwd, "runs/quickstart/report");
  html = readFileSync(path.join(folder, "report.html"), "utf8");
  json = JSON.parse(readFileSync(path.join(folder, "report.json"), "utf8")) as Record<string, unknown>;
});

/** The value of a JSON pointer (RFC 6901). */
function valueAt(pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown>)[step.replaceAll("~1", "/").replaceAll("~0", "~")],
    json,
  );
}

/** How a value may be shown: whole, in percent, rounded, or as money. */
function shownForms(value: number): string[] {
  return [
    value.toFixed(0),
    (value * 100).toFixed(1),
    value.toFixed(2),
    `$${value.toFixed(2)}`,
    `$${value.toPrecision(2)}`,
    String(Number(value.toPrecision(4))),
  ];
}

describe("the report of the quickstart", () => {
  it("has the same bytes when it is made again, elsewhere", async () => {
    const out = await temporaryFolder();
    const again = await runGradus(["report", "quickstart", "--out", out, "--json"], { cwd });
    expect(digestsBelow(out)).toEqual(digestsBelow(folder));
    expect(JSON.parse(again.stdout)).toEqual(json);
  });

  it("shows the numbers of report.json and no others", () => {
    const { document } = parseHTML(html);
    const numbers = [...document.querySelectorAll("[data-value]")];
    expect(numbers.length).toBeGreaterThan(300);
    for (const element of numbers) {
      const at = element.getAttribute("data-at") ?? "";
      const value = valueAt(at);
      expect(String(value), at).toBe(element.getAttribute("data-value"));
      expect(shownForms(value as number), at).toContain(element.textContent.replaceAll(",", ""));
    }
    for (const cell of document.querySelectorAll("td.number")) {
      if (cell.textContent !== "" && !cell.textContent.includes("–"))
        expect(cell.querySelector("[data-value]"), cell.textContent).not.toBeNull();
    }
  });

  it("says what the rows of the run say", async () => {
    const status = await runGradus(["status", "quickstart", "--json"], { cwd });
    const { funnel } = JSON.parse(status.stdout) as { funnel: { name: string; count: number }[] };
    const lines = json["funnel"] as { name: string; count: number }[];
    expect(lines.map(({ name, count }) => [name, count])).toEqual(
      funnel.map(({ name, count }) => [name, count]),
    );
    const runFolder = path.join(cwd, "runs/quickstart");
    const scores = portRows(runFolder, "score", "samples").flatMap(({ setting, verdicts }) => {
      const verdict = (verdicts as Record<string, { status: string; score: number }>)["bird-ex"];
      return verdict?.status === "scored" ? [{ setting: String(setting), score: verdict.score }] : [];
    });
    const [set] = json["sets"] as {
      accuracy: { system: string; group: string; mean: number; low: number; high: number }[];
    }[];
    for (const setting of ["single-turn", "sql-trail"]) {
      const own = scores.filter((row) => row.setting === setting);
      const mean = own.reduce((sum, { score }) => sum + score, 0) / own.length;
      const row = set?.accuracy.find(({ system, group }) => system === setting && group === "all");
      expect(row?.mean).toBeCloseTo(mean, 12);
      expect(row?.low).toBeLessThan(mean);
      expect(row?.high).toBeGreaterThan(mean);
    }
  });

  it("can load nothing and run nothing", () => {
    const { document } = parseHTML(html);
    expect(
      document.querySelectorAll("script, iframe, object, embed, form, base, img, link[rel=stylesheet]"),
    ).toHaveLength(0);
    const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]');
    expect(policy?.getAttribute("content")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
    for (const element of document.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        expect(name, element.outerHTML.slice(0, 80)).not.toMatch(/^on|^style$|^src|^srcset$/);
        if (name === "href") expect(value).toMatch(/^#|^data:,$/);
      }
    }
    expect(html.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/url\(|@import/);
  });

  it("gives every plot a title, a description and its table", () => {
    const { document } = parseHTML(html);
    const plots = [...document.querySelectorAll("figure svg[role=img]")];
    expect(plots.length).toBeGreaterThan(10);
    for (const plot of plots) {
      expect(plot.querySelector("title")?.textContent).not.toBe("");
      expect(plot.querySelector("desc")?.textContent).not.toBe("");
      expect(plot.closest("figure")?.querySelectorAll("table tbody tr").length).toBeGreaterThan(0);
    }
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("names no place of this machine", () => {
    const markdown = readFileSync(path.join(folder, "report.md"), "utf8");
    for (const text of [html, markdown, JSON.stringify(json)]) {
      expect(text).not.toContain(cwd);
      expect(text).not.toContain(PROJECT_ROOT);
    }
    expect(markdown).toContain("## Funnel");
    expect(markdown).toContain("| – kept | 88 | 46.1 |");
  });
});

describe("a run that is not there", () => {
  it("is told with those that are", async () => {
    const { status, stderr } = await runGradus(["report", "quickstrat"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain('there is no run "quickstrat"');
    expect(stderr).toContain("quickstart");
  });
});

describeWithChromium("the report in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  const views = [
    { name: "light", options: { viewport: { width: 1280, height: 900 }, colorScheme: "light" } },
    { name: "dark", options: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" } },
    { name: "phone", options: { viewport: { width: 360, height: 740 }, colorScheme: "light" } },
  ] as const;

  it.each(views)("is quiet, asks for nothing, and hinders nobody: $name", async ({ name, options }) => {
    const { page, complaints, requests, close } = await openFile(
      browser,
      path.join(folder, "report.html"),
      options,
    );
    expect(await seriousFindings(page)).toEqual([]);
    await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
    expect(await seriousFindings(page)).toEqual([]);
    const widths = await page.evaluate<number[]>("[document.documentElement.scrollWidth, innerWidth]");
    expect(widths[0]).toBe(widths[1]);
    const screenshots = process.env["GRADUS_SCREENSHOTS"];
    if (screenshots !== undefined) {
      mkdirSync(screenshots, { recursive: true });
      await page.reload();
      await page.screenshot({ path: path.join(screenshots, `report-${name}.png`), fullPage: true });
    }
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => url !== `file://${path.join(folder, "report.html")}`)).toEqual([]);
    await close();
  });

  it("shows the numbers of report.json", async () => {
    const { page, close } = await openFile(browser, path.join(folder, "report.html"));
    const shown = await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll("[data-at]")].map(({ dataset }) => [dataset.at, dataset.value])`,
    );
    expect(shown.length).toBeGreaterThan(300);
    for (const [at, value] of shown) expect(String(valueAt(at)), at).toBe(value);
    await close();
  });

  it("is not taken over by what models, databases and configs say", async () => {
    const file = path.join(await temporaryFolder(), "hostile.html");
    writeFileSync(file, renderHtml(DOCUMENT, sectionsOf(DOCUMENT)));
    const { page, complaints, requests, close } = await openFile(browser, file);
    await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('document.querySelectorAll("script").length')).toBe(0);
    expect(await page.evaluate("document.querySelector('h1').textContent")).toContain(
      '<script>alert("1")</script>',
    );
    expect([complaints, requests]).toEqual([[], []]);
    await close();
  });

  it("is read with the keyboard alone", async () => {
    const { page, close } = await openFile(browser, path.join(folder, "report.html"));
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.className")).toBe("skip");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.localName")).toBe("summary");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.parentElement.open")).toBe(true);
    await close();
  });

  it("shows other colours in the dark", async () => {
    const colours: unknown[] = [];
    for (const { options } of views.slice(0, 2)) {
      const { page, close } = await openFile(browser, path.join(folder, "report.html"), options);
      colours.push(
        await page.evaluate(`[getComputedStyle(document.body).backgroundColor,
          getComputedStyle(document.querySelector("#funnel .wide svg rect[fill='var(--accent)'], #funnel .wide svg [fill='var(--accent)']")).fill]`),
      );
      await close();
    }
    expect(colours).toEqual([
      ["rgb(252, 251, 248)", "rgb(34, 98, 122)"],
      ["rgb(21, 23, 26)", "rgb(109, 182, 207)"],
    ]);
  });
});
