import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** Limits that the system holds a worker process to. */
export interface ProcessLimits {
  /** Private memory, bytes. */
  readonly memoryBytes: number;
  /** The largest file it may write (a spilled sort), bytes. */
  readonly fileBytes: number;
}

const TICKS_PER_SECOND = 100;
const MICROS_PER_TICK = 1_000_000 / TICKS_PER_SECOND;

function findTool(name: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/bin", "/bin"];
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/**
 * A command line that runs `command` under the limits: killed when its parent dies, bounded in memory and
 * file size, no core files; as far as the system has the tools for it.
 */
export function limitedCommand(command: readonly string[], limits: ProcessLimits): string[] {
  const setpriv = findTool("setpriv");
  const prlimit = findTool("prlimit");
  return [
    ...(setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"]),
    ...(prlimit === undefined
      ? []
      : [prlimit, `--data=${limits.memoryBytes}`, `--fsize=${limits.fileBytes}`, "--core=0", "--"]),
    ...command,
  ];
}

/** What this system cannot enforce on worker processes, a sentence each; empty when it can do all. */
export function limitsReport(): readonly string[] {
  const lines: string[] = [];
  if (findTool("setpriv") === undefined) {
    lines.push(
      "workers are not killed with their parent: setpriv is missing; one inside a query ends after it",
    );
  }
  if (findTool("prlimit") === undefined) {
    lines.push("memory and spilled sorts of a query have no limit: prlimit is missing");
  }
  if (!hasProcessTimes()) {
    lines.push("the CPU limit of a query is held by the clock: there is no /proc to read CPU time from");
  }
  return lines;
}

let processTimes: boolean | undefined;

/** Whether the CPU time of another process can be read. */
export function hasProcessTimes(): boolean {
  processTimes ??= processCpuMicros(process.pid) !== null;
  return processTimes;
}

/** CPU time that a process has used, microseconds, in steps of a clock tick; `null` when it cannot be read. */
export function processCpuMicros(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK;
  } catch {
    return null;
  }
}
