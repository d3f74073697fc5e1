import { describe, expect, it } from "vitest";
import { hasProcessTimes, limitedCommand, limitsReport, processCpuMicros } from "../../io/process-limits.ts";

const LIMITS = { memoryBytes: 1_000_000, fileBytes: 2_000_000 };

describe("limitedCommand", () => {
  it("ends with the command itself, under the limits that the system has tools for", () => {
    const command = limitedCommand(["node", "worker.js"], LIMITS);
    expect(command.slice(-2)).toEqual(["node", "worker.js"]);
    const report = limitsReport().join("\n");
    expect(command.includes("--data=1000000")).toBe(!report.includes("prlimit"));
    expect(command.includes("--fsize=2000000")).toBe(!report.includes("prlimit"));
    expect(command.includes("--pdeathsig")).toBe(!report.includes("setpriv"));
  });
});

describe("processCpuMicros", () => {
  it("reads the CPU time of a process, where the system shows it", () => {
    const before = process.cpuUsage();
    const read = processCpuMicros(process.pid);
    if (!hasProcessTimes()) {
      expect(read).toBeNull();
      return;
    }
    const tick = 20_000;
    const after = process.cpuUsage();
    expect(read).toBeGreaterThanOrEqual(before.user + before.system - tick);
    expect(read).toBeLessThanOrEqual(after.user + after.system + tick);
  });

  it("is null for a process that is not there", () => {
    expect(processCpuMicros(2 ** 30)).toBeNull();
  });
});
