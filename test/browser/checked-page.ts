import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { axeSource } from "./chromium.ts";

/** A page in a browser, and what it said and asked for while it was open. */
export interface CheckedPage {
  readonly page: Page;
  /** Errors and warnings on the console, and exceptions. */
  readonly complaints: readonly string[];
  /** Addresses asked for, the page's own left out. */
  readonly requests: readonly string[];
  /** From the call to open it until its load event, milliseconds. */
  readonly openedMs: number;
  readonly close: () => Promise<void>;
}

/** Opens a file and listens to it. */
export async function openFile(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<CheckedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  const address = `file://${file}`;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  const start = performance.now();
  await page.goto(address, { waitUntil: "load" });
  const openedMs = performance.now() - start;
  return { page, complaints, requests, openedMs, close: () => context.close() };
}

/** What axe finds of an impact that stops people: `serious` or `critical`. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource());
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join("; ")))`);
}
