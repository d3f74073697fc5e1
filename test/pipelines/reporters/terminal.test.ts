import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { StepReport } from "../../../pipelines/reporter.ts";
import { terminalReporter } from "../../../pipelines/reporters/terminal.ts";

const LOADED: StepReport = {
  id: "load",
  stage: "load",
  status: "ran",
  key: null,
  changed: [],
  outputs: { examples: { rows: 4, digest: "0".repeat(64), groups: {} } },
  warnings: [],
};

/** A terminal of 120 columns, and what was written to it. */
function terminal(): { stream: NodeJS.WriteStream; written: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 120 });
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    written: () => String(stream.read() ?? ""),
  };
}

describe("terminalReporter", () => {
  it("shows a bar a step, then a line that stays", () => {
    const { stream, written } = terminal();
    let time = 0;
    const reporter = terminalReporter(stream, () => time);
    reporter.stepStarted("load", []);
    expect(written()).toMatch(/load {17}\[░{24}\] started/);
    time = 2000;
    reporter.progress("load", 2, 4);
    reporter.warn("load", "a column is not there");
    expect(written()).toContain("load: warning: a column is not there\n");
    reporter.progress("load", 3, 4);
    reporter.stepFinished(LOADED);
    expect(written()).toContain("load                 done, 4 examples\n");
  });

  it("says why a step runs again, and shows the cursor at the end", () => {
    const { stream, written } = terminal();
    const reporter = terminalReporter(stream, () => 0);
    reporter.stepStarted("load", ["seed 1 -> 2"]);
    expect(written()).toContain("load: runs again (seed 1 -> 2)\n");
    reporter.stepFinished(LOADED);
    expect(written().lastIndexOf("\u001B[?25h")).toBeGreaterThan(-1);
  });

  it("tells a step that was done before in one line", () => {
    const { stream, written } = terminal();
    terminalReporter(stream, () => 0).stepFinished({ ...LOADED, status: "reused" });
    expect(written()).toBe("load                 done before, 4 examples\n");
  });
});
