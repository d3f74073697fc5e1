import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReportDocument } from "../../pipelines/report/report-document.ts";
import { openFile } from "../browser/checked-page.ts";
import { describeWithChromium, startChromium } from "../browser/chromium.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { GradusProcess } from "./gradus-process.ts";
import { writeLargeRun } from "./large-run.ts";

const SIZE = { questions: 10_000, answers: 20 };
const MIB = 1024 * 1024;

let page: string;
let peakBytes = 0;

beforeAll(async () => {
  const cwd = await temporaryFolder();
  await writeLargeRun(path.join(cwd, "runs/large"), SIZE);
  const start = performance.now();
  const started = new GradusProcess(["report", "large"], { cwd });
  const watch = setInterval(() => (peakBytes = Math.max(peakBytes, started.peakBytes())), 50);
  const { status, stderr } = await started.finished;
  clearInterval(watch);
  expect(status, stderr).toBe(0);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  page = path.join(cwd, "runs/large/report/report.html");
  const kibibytes = (statSync(page).size / 1024).toFixed(0);
  console.info(
    `200,000 trajectories: report in ${seconds} s, peak ${(peakBytes / MIB).toFixed(0)} MiB, page ${kibibytes} KiB`,
  );
});

describe("the report of 200,000 trajectories", () => {
  it("is a page under 5 MB, made in memory that the questions bound", () => {
    expect(statSync(page).size).toBeLessThan(5_000_000);
    expect(peakBytes).toBeLessThan(700 * MIB);
  });

  it("counts every answer", () => {
    const text = readFileSync(path.join(path.dirname(page), "report.json"), "utf8");
    const { sets, passRates, rewards, rounds } = JSON.parse(text) as ReportDocument;
    expect(sets[0]).toMatchObject({ questions: 10_000, answers: 200_000, simulated: 0 });
    expect(sets[0]?.cost[0]).toMatchObject({ answers: 200_000, costUsd: 50, repliesPerAnswer: 2 });
    expect(passRates?.byHardness.map(({ total }) => total)).toEqual([2500, 2500, 2500, 2500]);
    expect(rewards[0]).toMatchObject({ step: "rewards", count: 200_000, min: 0, max: 1 });
    expect(rounds?.coverage).toEqual([{ round: 1, examples: 10_000, covered: 5_000, trajectories: 10_000 }]);
  });

  it("escapes what models and databases wrote", () => {
    const html = readFileSync(page, "utf8");
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;alert(1)");
  });
});

describeWithChromium("that page in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  it("opens, quietly", async () => {
    const { openedMs, complaints, requests, close } = await openFile(browser, page);
    console.info(`opened in ${openedMs.toFixed(0)} ms`);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    await close();
  });
});
