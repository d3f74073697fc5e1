import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Correction } from "../../../core/correction.ts";
import { SILENT_REPORTER } from "../../../pipelines/reporter.ts";
import {
  readRunConfig,
  type RunOptions,
  type RunSummary,
  runTrainingSet,
} from "../../../pipelines/run-training-set.ts";
import { shopConfig } from "../../e2e/spider-fixture.ts";
import { shopWorkspace } from "../../e2e/shop-workspace.ts";

/** A run of twelve questions on shops, of every three one answered rightly, with corrections to come. */
export class CorrectedShops {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<CorrectedShops> {
    return new CorrectedShops(await shopWorkspace());
  }

  get runsFolder(): string {
    return path.join(this.folder, "runs");
  }

  /** Runs with some corrections, all questions dropped that are always or never right. */
  async run(
    corrections: readonly Partial<Correction>[],
    options: Partial<RunOptions> = {},
  ): Promise<RunSummary> {
    const fixes = corrections.map((one) => ({
      dataset: "spider",
      split: "train",
      field: "gold",
      kind: "logic",
      reason: "r",
      author: "ann",
      time: "2026-01-31T12:00:00Z",
      ...one,
    }));
    writeFileSync(
      path.join(this.folder, "fixes.jsonl"),
      fixes.map((fix) => `${JSON.stringify(fix)}\n`).join(""),
    );
    const files = corrections.length === 0 ? [] : ["./fixes.jsonl"];
    const datasets = [{ loader: "spider", root: "./shops", split: "train", corrections: files }];
    writeFileSync(path.join(this.folder, "run.yaml"), shopConfig({ datasets, filter: {} }));
    return runTrainingSet(await readRunConfig(path.join(this.folder, "run.yaml")), {
      roots: { dataRoot: null, configFolder: this.folder, runsFolder: this.runsFolder },
      until: "filter",
      dryRun: false,
      workers: 1,
      reporter: SILENT_REPORTER,
      signal: new AbortController().signal,
      ...options,
    });
  }
}

/** Question 1, answered with the ids of all shops, corrected to ask for that. */
export const RIGHTED: Partial<Correction> = {
  sourceId: "1",
  before: "SELECT name FROM shop WHERE staff > 1",
  after: "SELECT id FROM shop",
};
