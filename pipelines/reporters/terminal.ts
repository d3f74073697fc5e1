import { Presets, SingleBar } from "cli-progress";
import type { Reporter } from "../reporter.ts";
import { describeProgress, describeStep } from "./lines.ts";

/** A progress bar a step on a terminal, with rate and time left. `now` gives milliseconds. */
export function terminalReporter(stream: NodeJS.WriteStream, now: () => number): Reporter {
  let bar: SingleBar | undefined;
  let started = 0;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
  };
  return {
    stepStarted: (id, changed) => {
      stop();
      started = now();
      if (changed.length > 0) stream.write(`${id}: runs again (${changed.join("; ")})\n`);
      bar = new SingleBar(
        { format: "{step} [{bar}] {text}", stream, clearOnComplete: true, hideCursor: true, barsize: 24 },
        Presets.shades_classic,
      );
      bar.start(1, 0, { step: id.padEnd(20), text: "started" });
    },
    progress: (id, done, total, note) => {
      bar?.setTotal(Math.max(total ?? done * 2, 1));
      const text = `${describeProgress(done, total, now() - started)}${note === undefined ? "" : `, ${note}`}`;
      bar?.update(done, { step: id.padEnd(20), text });
    },
    warn: (id, message) => {
      stop();
      stream.write(`${id}: warning: ${message}\n`);
    },
    stepFinished: (report) => {
      stop();
      stream.write(`${report.id.padEnd(20)} ${describeStep(report)}\n`);
    },
  };
}
