import type { Manifest } from "../core/artifact.ts";

/** How a step ended in this run. */
export interface StepReport {
  readonly id: string;
  readonly stage: string;
  /** `reused`: its artifact was there; `ran`: it was made now; `pending`: not reached. */
  readonly status: "reused" | "ran" | "pending";
  readonly key: string | null;
  /** Why it had to run again, when an earlier run had made it under another key. */
  readonly changed: readonly string[];
  readonly outputs: Manifest["outputs"];
  readonly warnings: readonly string[];
}

/** Hears of a run as it goes. */
export interface Reporter {
  stepStarted(id: string, changed: readonly string[]): void;
  progress(id: string, done: number, total: number | undefined, note?: string): void;
  warn(id: string, message: string): void;
  stepFinished(report: StepReport): void;
}

/** Hears nothing. */
export const SILENT_REPORTER: Reporter = {
  stepStarted: () => undefined,
  progress: () => undefined,
  warn: () => undefined,
  stepFinished: () => undefined,
};
