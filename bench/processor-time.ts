import { readFileSync } from "node:fs";

const TICKS_A_SECOND = 100;

/**
 * CPU seconds of a process, this one when left out, and of the children that it has waited for (Linux). Those of
 * others are in steps of a clock tick.
 */
export function processorSeconds(pid?: number): { readonly own: number; readonly children: number } {
  const text = readFileSync(`/proc/${pid ?? "self"}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const seconds = (first: number): number =>
    (Number(fields[first]) + Number(fields[first + 1])) / TICKS_A_SECOND;
  const { user, system } = process.cpuUsage();
  return { own: pid === undefined ? (user + system) / 1e6 : seconds(11), children: seconds(13) };
}

/** The middle value; of an even number, the lower middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
