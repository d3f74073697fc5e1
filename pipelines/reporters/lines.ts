import type { Reporter, StepReport } from "../reporter.ts";

/** How often a long step says where it is, in milliseconds. */
const EVERY_MS = 5_000;

/** Plain lines for a log: a step's start, its progress now and then, its end. `now` gives milliseconds. */
export function lineReporter(write: (line: string) => void, now: () => number): Reporter {
  let started = 0;
  let spoken = 0;
  return {
    stepStarted: (id, changed) => {
      started = now();
      spoken = started;
      write(`${id}: started${changed.length === 0 ? "" : ` again (${changed.join("; ")})`}`);
    },
    progress: (id, done, total, note) => {
      const time = now();
      if (time - spoken < EVERY_MS) return;
      spoken = time;
      write(
        `${id}: ${describeProgress(done, total, time - started)}${note === undefined ? "" : `, ${note}`}`,
      );
    },
    warn: (id, message) => {
      write(`${id}: warning: ${message}`);
    },
    stepFinished: (report) => {
      write(`${report.id}: ${describeStep(report)}`);
    },
  };
}

/** `120 of 900, 40 a second, 19 s left`. */
export function describeProgress(done: number, total: number | undefined, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const counted = total === undefined ? `${done}` : `${done} of ${total}`;
  if (rate === 0) return counted;
  const left = total === undefined ? "" : `, ${describeSeconds((total - done) / rate)} left`;
  return `${counted}, ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)} a second${left}`;
}

/** `45 s`, `3 min`, `2 h 5 min`. */
export function describeSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What a finished step gave: `done before, 120 examples, 3 rejects`. No rejects are not told. */
export function describeStep(report: StepReport): string {
  const ports = Object.entries(report.outputs)
    .filter(([port, summary]) => summary.rows > 0 || port !== "rejects")
    .map(([port, summary]) => `${summary.rows} ${port}`);
  return [report.status === "reused" ? "done before" : "done", ...ports].join(", ");
}
